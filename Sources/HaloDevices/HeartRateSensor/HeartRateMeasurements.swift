/// The measurements of a heart-rate sensor, as ``HeartRateSensor/reports`` has them, and nothing
/// else.
///
/// ``AsyncIterator/malformed`` and ``AsyncIterator/missed`` count what is left out.
public struct HeartRateMeasurements: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = MeasuredHeartRate

    let reports: DeviceUpdates<HeartRateReport>

    /// Begins to listen at once.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reports: reports.makeAsyncIterator())
    }

    /// Fetches the measurements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var reports: DeviceUpdates<HeartRateReport>.AsyncIterator
        /// How many values were no measurements so far.
        public private(set) var malformed = 0
        /// How many reports were dropped so far, because nobody fetched them.
        public private(set) var missed = 0

        init(reports: DeviceUpdates<HeartRateReport>.AsyncIterator) {
            self.reports = reports
        }

        /// The next measurement; nothing when no more can come, or the task is cancelled.
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
