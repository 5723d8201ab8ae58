import HaloDevices
import HaloProtocol
import HaloTransport

/// The use of a connected device while it is recorded.
enum RecordedUse {
    private static let historyDays = 2

    /// Reads a ring's history, and measures the heart rate until the time is over; or receives the
    /// measurements of a strap.
    static nonisolated(nonsending) func use(
        _ device: DeviceAccess.Connected, until end: Moment, _ console: inout Console
    ) async throws(DeviceError) {
        switch device {
        case .ring(let ring): try await use(ring, until: end, &console)
        case .strap(let strap, _): try await use(strap, until: end, &console)
        }
    }

    private static nonisolated(nonsending) func use(
        _ ring: Ring, until end: Moment, _ console: inout Console
    ) async throws(DeviceError) {
        _ = try await ring.battery()
        _ = try await ring.deviceInformation()
        var reading = console.progress("reading the history")
        defer { reading.end() }
        _ = try await ring.history(days: historyDays) { reading.show($0.fraction, "\($0)") }
        reading.end()
        var measuring = TimedProgress(console, ring.time, until: end)
        defer { measuring.end() }
        while ring.time.now() < end {
            let begun = ring.time.now()
            // Reports, not readings: the first reading takes half a minute, and the time may be
            // over before.
            var reports = ring.reports(of: .heartRate).makeAsyncIterator()
            while ring.time.now() < end, try await reports.next() != nil { measuring.show() }
            // The sequence ends at once in a cancelled task.
            if Task.isCancelled { throw DeviceError(.cancelled) }
            // A measurement that takes no time would be repeated for ever.
            if ring.time.now() == begun { break }
        }
        _ = try await ring.battery()
    }

    private static nonisolated(nonsending) func use(
        _ strap: HeartRateSensor, until end: Moment, _ console: inout Console
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
        var measuring = TimedProgress(console, strap.time, until: end)
        defer { measuring.end() }
        while strap.time.now() < end, try await measurements.next() != nil { measuring.show() }
    }
}

/// The progress of a measurement that lasts until a moment.
private struct TimedProgress {
    private var progress: Progress
    private let time: any TransportTime
    private let begun: Moment
    private let last: Moment

    init(_ console: Console, _ time: any TransportTime, until end: Moment) {
        progress = console.progress("measuring the heart rate")
        (self.time, begun, last) = (time, time.now(), end)
    }

    mutating func show() {
        let whole = last.duration(since: begun)
        guard whole > .zero else { return }
        progress.show(time.now().duration(since: begun) / whole)
    }

    mutating func end() { progress.end() }
}
