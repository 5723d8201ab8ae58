internal import HaloProtocol

/// The measurements of a heart-rate sensor: ``HeartRateSensor/reports`` without the other reports.
///
/// ``AsyncIterator/malformed`` and ``AsyncIterator/missed`` count malformed values and dropped
/// reports.
public struct HeartRateMeasurements: AsyncSequence, Sendable {
    let reports: DeviceUpdates<HeartRateReport>

    /// Begins a loop at once, so that no measurement is lost before the first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reports: reports.makeAsyncIterator())
    }

    /// The iterator over measurements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var reports: DeviceUpdates<HeartRateReport>.AsyncIterator
        /// The number of values so far that were no measurements.
        public private(set) var malformed = 0
        /// The number of reports so far that were dropped because the loop was slow.
        public private(set) var missed = 0

        init(reports: DeviceUpdates<HeartRateReport>.AsyncIterator) { self.reports = reports }

        /// Waits for the next measurement; `nil` at the end, and when the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError)
            -> MeasuredHeartRate?
        {
            while let report = try await reports.next() {
                switch report {
                case .measurement(let measurement): return measurement
                case .malformed: malformed &+= 1
                case .missed(let count): missed &+= count
                case .contact, .interrupted: continue
                }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension HeartRateMeasurements.AsyncIterator: Sendable {}

/// A heart beat, as a sensor reports the interval before it in 1024ths of a second.
public struct HeartBeat: Hashable, Sendable, Codable {
    /// The number of the beat since the sensor was connected to, counted from 1.
    public let number: Int
    /// The number of its series: between two series beats may be missing.
    public let series: Int
    /// The time since the beat before.
    public let interval: Duration
    /// The time since the series began.
    public let time: Duration

    /// Creates a beat.
    public init(number: Int, series: Int, interval: Duration, time: Duration) {
        self.number = number
        self.series = series
        self.interval = interval
        self.time = time
    }

    init(_ beat: SensedBeat) {
        self.init(
            number: Int(clamping: beat.number), series: Int(clamping: beat.series),
            interval: .ticks(UInt64(beat.intervalTicks)), time: .ticks(beat.ticks))
    }
}

extension Duration {
    /// Returns a number of 1024ths of a second as an exact duration.
    fileprivate static func ticks(_ count: UInt64) -> Duration {
        Duration(
            secondsComponent: Int64(clamping: count / 1024),
            attosecondsComponent: Int64(count % 1024) * 976_562_500_000_000)
    }
}
