import HaloDevices
import HaloProtocol
import HaloTransport

/// What `halo record` does with a device, wherever that is.
enum RecordedUse {
    /// Reads what a ring has stored, and has it measure the heart rate until the time is over: a
    /// ring that is known, or the one that is found.
    static nonisolated(nonsending) func ring(
        _ identity: PeripheralIdentity? = nil, over transport: some BLETransport, days: Int,
        for duration: Duration
    ) async throws(DeviceError) {
        let end = transport.time.now() + duration
        let ring =
            if let identity {
                try await Ring.connect(to: identity, over: transport)
            } else {
                try await Ring.connect(over: transport)
            }
        do throws(DeviceError) {
            try await use(ring, days: days, until: end)
        } catch {
            await leave { await ring.disconnect() }
            throw error
        }
        await leave { await ring.disconnect() }
    }

    private static nonisolated(nonsending) func use(
        _ ring: Ring, days: Int, until end: Moment
    ) async throws(DeviceError) {
        _ = try await ring.battery()
        _ = try await ring.deviceInformation()
        _ = try await ring.history(days: days)
        while ring.time.now() < end {
            let begun = ring.time.now()
            // Not only readings: a ring takes half a minute until the first, and says so meanwhile.
            var reports = ring.reports(of: .heartRate).makeAsyncIterator()
            while ring.time.now() < end, try await reports.next() != nil {}
            // It ends at once when the task is cancelled.
            if Task.isCancelled { throw DeviceError(.cancelled) }
            // A measurement that takes no time would not end.
            if ring.time.now() == begun { break }
        }
        _ = try await ring.battery()
    }

    /// Listens to a strap until the time is over: one that is known, or the one that is found.
    static nonisolated(nonsending) func strap(
        _ identity: PeripheralIdentity? = nil, over transport: some BLETransport,
        for duration: Duration
    ) async throws(DeviceError) {
        let end = transport.time.now() + duration
        let strap =
            if let identity {
                try await HeartRateSensor.connect(to: identity, over: transport)
            } else {
                try await HeartRateSensor.connect(over: transport)
            }
        do throws(DeviceError) {
            try await use(strap, until: end, on: transport.time)
        } catch {
            await leave { await strap.disconnect() }
            throw error
        }
        await leave { await strap.disconnect() }
    }

    private static nonisolated(nonsending) func use(
        _ strap: HeartRateSensor, until end: Moment, on time: any TransportTime
    ) async throws(DeviceError) {
        _ = try await strap.deviceInformation()
        _ = try await strap.location()
        do throws(DeviceError) {
            _ = try await strap.battery()
        } catch {
            // A strap need not have a battery service.
            guard error.kind == .notSupported else { throw error }
        }
        var beats = strap.measurements.makeAsyncIterator()
        while time.now() < end, try await beats.next() != nil {}
    }

    /// Waits until the link is closed, also in a task that is cancelled, which would not wait.
    private static nonisolated(nonsending) func leave(
        _ disconnect: @escaping @Sendable () async -> Void
    ) async {
        guard Task.isCancelled else { return await disconnect() }
        await Task { await disconnect() }.value
    }
}
