internal import HaloProtocol

/// A measurement as it runs, report by report.
///
/// It begins when a loop asks for the first report, and ends on the ring when the loop is left,
/// its task is cancelled, or the iterator is dropped. Each loop is a measurement of its own. A
/// ring measures one thing at a time: another measurement ends this one with
/// ``DeviceError/Kind/replaced``. Where the ring ends it by itself, so does the sequence.
public struct LiveReports<Reading: Sendable>: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = LiveReport<Reading>

    let ring: Ring
    let measurement: LiveMeasurement<Reading>
    let isOnce: Bool

    /// Begins a measurement with the first call of `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            subscription: StreamSubscription(
                ring, .measurement(measurement.quantity), once: isOnce),
            measurement: measurement)
    }

    /// Fetches the reports of one measurement.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let subscription: StreamSubscription
        let measurement: LiveMeasurement<Reading>
        var pending: Element?

        /// The next report; nothing when the measurement has ended, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError) -> Element? {
            if let pending {
                self.pending = nil
                return pending
            }
            while let delivery = try await subscription.next() {
                guard let element = report(delivery.element) else { continue }
                if delivery.dropped == 0 { return element }
                pending = element
                return .missed(delivery.dropped)
            }
            return nil
        }

        private func report(_ item: StreamItem) -> Element? {
            switch item {
            case .interrupted: return .interrupted
            case .report(.measurement(let reply)):
                if let reading = measurement.reading(reply) { return .reading(reading) }
                if reply.fault == .notWorn { return .notWorn }
                if reply.fault == .nothingYet || reply.isWarmingUp {
                    return .warmingUp(beatInterval: reply.beatInterval)
                }
                return .other(reply)
            case .report: return nil
            }
        }
    }
}

@available(*, unavailable)
extension LiveReports.AsyncIterator: Sendable {}
