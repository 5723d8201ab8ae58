import HaloDevices
import HaloProtocol
import HaloTransport

/// The use of a connected device while it is recorded.
enum RecordedUse {
    private static let historyDays = 2

    /// Reads a ring's history, and measures the heart rate until the time is over; or receives the
    /// measurements of a strap.
    static nonisolated(nonsending) func use(
        _ device: DeviceAccess.Connected, until end: Moment
    ) async throws(DeviceError) {
        switch device {
        case .ring(let ring): try await use(ring, until: end)
        case .strap(let strap, _): try await use(strap, until: end)
        }
    }

    private static nonisolated(nonsending) func use(
        _ ring: Ring, until end: Moment
    ) async throws(DeviceError) {
        _ = try await ring.battery()
        _ = try await ring.deviceInformation()
        _ = try await ring.history(days: historyDays)
        while ring.time.now() < end {
            let begun = ring.time.now()
            // Reports, not readings: the first reading takes half a minute, and the time may be
            // over before.
            var reports = ring.reports(of: .heartRate).makeAsyncIterator()
            while ring.time.now() < end, try await reports.next() != nil {}
            // The sequence ends at once in a cancelled task.
            if Task.isCancelled { throw DeviceError(.cancelled) }
            // A measurement that takes no time would be repeated for ever.
            if ring.time.now() == begun { break }
        }
        _ = try await ring.battery()
    }

    private static nonisolated(nonsending) func use(
        _ strap: HeartRateSensor, until end: Moment
    ) async throws(DeviceError) {
        _ = try await strap.deviceInformation()
        _ = try await strap.location()
        do throws(DeviceError) {
            _ = try await strap.battery()
        } catch {
            // The battery service is optional.
            guard error.kind == .notSupported else { throw error }
        }
        var measurements = strap.measurements.makeAsyncIterator()
        while strap.time.now() < end, try await measurements.next() != nil {}
    }
}
