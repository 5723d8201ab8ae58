public import HaloProtocol

/// The values of a ring's sensors as they come. Each loop is a stream of its own.
///
/// The oldest are dropped where a loop is slow; ``AsyncIterator/missed`` counts them.
public struct RawSensorValues: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = RawSensors.Content

    let ring: Ring

    /// Begins the stream with the first call of `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(loop: ring.loop(over: .rawSensors, once: false))
    }

    /// Fetches the values of one stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let loop: Loop<RingClient, StreamItem>
        /// The number of values so far that were dropped, because the buffer was full.
        public private(set) var missed = 0

        init(loop: Loop<RingClient, StreamItem>) { self.loop = loop }

        /// The next values; `nil` when the stream has ended, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError)
            -> RawSensors.Content?
        {
            while let delivery = try await loop.next() {
                missed &+= delivery.dropped
                if case .report(.rawSensors(let reply)) = delivery.element {
                    return reply.content
                }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension RawSensorValues.AsyncIterator: Sendable {}
