/// A sequence of elements of a transport, from its creation until it and its iterators are dropped.
///
/// Elements are buffered: when the buffer is full, the oldest one is dropped, and the next one
/// counts the dropped ones. A sequence ends (`next()` returns `nil`) when its task is cancelled; a
/// call that returns one value throws ``BLEError/Kind/cancelled``. Another task may continue with
/// the same sequence.
public struct TransportUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// Waits for the next element. A loop in another module would run generic code: this closure is
    /// created in code that knows the element's type.
    private let fetch: nonisolated(nonsending) @Sendable () async throws(BLEError) -> Element?
    private let source: CancelOnRelease

    @inline(__always)
    init(
        _ buffer: BoundedBuffer<Element, BLEError>,
        markLost: @escaping @Sendable (inout Element, Int) -> Void = { _, _ in },
        from source: BLECancellable
    ) {
        fetch = { () async throws(BLEError) in
            guard let entry = try await buffer.next() else { return nil }
            var element = entry.element
            if entry.lostBefore > 0 { markLost(&element, entry.lostBefore) }
            return element
        }
        self.source = CancelOnRelease(source, in: buffer.loop)
    }

    /// An iterator over the elements as they come.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let updates: TransportUpdates

        /// Waits for the next element; `nil` after the end, and when the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(BLEError) -> Element? {
            try await updates.fetch()
        }
    }

    /// Creates an iterator that continues where the last one stopped. Two iterators share the
    /// elements.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self) }
}

/// Cancels an activity when it is released, which may be at any point of a turn.
private final class CancelOnRelease: Sendable {
    private let activity: BLECancellable
    private let loop: TransportLoop

    init(_ activity: BLECancellable, in loop: TransportLoop) {
        self.activity = activity
        self.loop = loop
    }

    deinit { loop.later { [activity] in activity.cancel() } }
}
