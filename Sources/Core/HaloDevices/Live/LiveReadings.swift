/// The readings of a measurement: ``LiveReports`` without the other reports.
///
/// A slow loop loses the oldest reports; ``AsyncIterator/missed`` counts them.
public struct LiveReadings<Reading: Sendable>: AsyncSequence, Sendable {
    let reports: LiveReports<Reading>

    /// Creates an iterator, which begins a measurement with its first `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reports: reports.makeAsyncIterator())
    }

    /// The iterator of one measurement.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var reports: LiveReports<Reading>.AsyncIterator
        /// The number of reports so far that were dropped because the loop was slow.
        public private(set) var missed = 0

        init(reports: LiveReports<Reading>.AsyncIterator) { self.reports = reports }

        /// Waits for the next reading; `nil` when the measurement has ended, and when the task is
        /// cancelled.
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
