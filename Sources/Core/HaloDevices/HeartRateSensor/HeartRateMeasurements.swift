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

extension Duration {
    /// Returns a number of 1024ths of a second as an exact duration.
    static func ticks(_ count: UInt64) -> Duration {
        Duration(
            secondsComponent: Int64(clamping: count / 1024),
            attosecondsComponent: Int64(count % 1024) * 976_562_500_000_000)
    }
}
