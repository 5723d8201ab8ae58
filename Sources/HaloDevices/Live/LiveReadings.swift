internal import HaloProtocol

/// The readings of a measurement, as ``LiveReports`` has them, and nothing else.
///
/// The oldest are dropped where a loop is slow; ``AsyncIterator/missed`` counts them.
public struct LiveReadings<Reading: Sendable>: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = Reading

    let reports: LiveReports<Reading>

    /// Begins a measurement with the first call of `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reports: reports.makeAsyncIterator())
    }

    /// Fetches the readings of one measurement.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var reports: LiveReports<Reading>.AsyncIterator
        /// How many reports were dropped so far, because nobody fetched them.
        public private(set) var missed = 0

        init(reports: LiveReports<Reading>.AsyncIterator) {
            self.reports = reports
        }

        /// The next reading; nothing when the measurement has ended, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError) -> Reading? {
            while let report = try await reports.next() {
                switch report {
                case .reading(let reading): return reading
                case .missed(let count): missed &+= count
                case .warmingUp, .notWorn, .other, .interrupted: continue
                }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension LiveReadings.AsyncIterator: Sendable {}
