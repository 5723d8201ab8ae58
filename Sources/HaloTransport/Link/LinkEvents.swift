/// Everything that happens on a link, over all characteristics, in the one order in which it did.
///
/// It has the values of every subscription of the link, whoever made it; it makes none itself.
/// When more events wait than its buffer holds, the oldest are dropped, and the next one says in
/// ``ReceivedEvent/lostBefore`` how many.
///
/// The last element is always ``LinkEvent/disconnected(_:)`` with the link's reason; then it ends
/// quietly. It throws only ``BLEError/Kind/cancelled``, when the waiting task is. It keeps the
/// link open as long as it or an iterator of it is held.
public struct LinkEvents: AsyncSequence, Sendable {
    let buffer: StreamBuffer<ReceivedEvent>
    let token: ReleaseToken

    /// Goes through the events as they come.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let buffer: StreamBuffer<ReceivedEvent>
        let token: ReleaseToken

        /// Waits for the next event.
        public nonisolated(nonsending) mutating func next() async throws(BLEError)
            -> ReceivedEvent?
        {
            guard let entry = try await buffer.next() else { return nil }
            guard entry.lostBefore > 0 else { return entry.element }
            return ReceivedEvent(
                entry.element.event, moment: entry.element.moment, lostBefore: entry.lostBefore)
        }
    }

    /// Goes on where the last iterator has stopped: two of them share the events.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: buffer, token: token)
    }
}
