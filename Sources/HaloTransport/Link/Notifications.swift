/// The values that a device sends of one characteristic, in their order.
///
/// It holds a share of the subscription on the device, and gives it back when it and its
/// iterators are dropped; the last one switches the device's sending off. It also keeps the link
/// open. When more values wait than its buffer holds, the oldest are dropped, and the next one
/// says in ``LinkNotification/lostBefore`` how many.
///
/// What arrived before the end is given out first. Then it ends quietly if the app has closed
/// the link, and otherwise throws ``BLEError/Kind/disconnected`` with the link's reason. When the
/// device's services have changed, it throws ``BLEError/Kind/noSuchAttribute``: discover, and
/// subscribe again. When the waiting task is cancelled, it throws ``BLEError/Kind/cancelled``,
/// and another task may go on from there.
public struct Notifications: AsyncSequence, Sendable {
    let buffer: StreamBuffer<LinkNotification>
    let token: ReleaseToken

    /// Goes through the values as they come.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let buffer: StreamBuffer<LinkNotification>
        let token: ReleaseToken

        /// Waits for the next value.
        public nonisolated(nonsending) mutating func next() async throws(BLEError)
            -> LinkNotification?
        {
            guard let entry = try await buffer.next() else { return nil }
            guard entry.lostBefore > 0 else { return entry.element }
            return LinkNotification(
                value: entry.element.value, moment: entry.element.moment,
                lostBefore: entry.lostBefore)
        }
    }

    /// Goes on where the last iterator has stopped: two of them share the values.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: buffer, token: token)
    }
}
