public import HaloProtocol

/// Waves of the hand, each with the moment at which it was noticed.
public struct Gestures: AsyncSequence, Sendable {
    /// When a wave was noticed, on the transport's timeline.
    public typealias Element = Moment

    let ring: Ring

    /// Has the ring watch for gestures with the first call of `next()`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(loop: ring.loopOverGestures())
    }

    /// Fetches the waves; the ring watches until it is dropped.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let loop: Loop<RingClient, Moment>

        /// The next wave; nothing when the ring is disconnected, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError) -> Moment? {
            try await loop.next()?.element
        }
    }
}

@available(*, unavailable)
extension Gestures.AsyncIterator: Sendable {}
