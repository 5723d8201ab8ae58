/// The devices that are heard, as they are.
///
/// It listens from the moment it is made until it and its iterators are dropped. When more
/// devices wait than its buffer holds, the oldest are dropped, and the next one says in
/// ``Discovery/lostBefore`` how many. It ends only by throwing: when scanning cannot go on, with
/// the reason; when the waiting task is cancelled, with ``BLEError/Kind/cancelled``.
public struct Scan: AsyncSequence, Sendable {
    let buffer: StreamBuffer<Discovery>
    let token: ReleaseToken

    /// Goes through the devices as they are heard.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let buffer: StreamBuffer<Discovery>
        let token: ReleaseToken

        /// Waits for the next device.
        public nonisolated(nonsending) mutating func next() async throws(BLEError) -> Discovery? {
            guard let entry = try await buffer.next() else { return nil }
            var discovery = entry.element
            discovery.lostBefore = entry.lostBefore
            return discovery
        }
    }

    /// Goes on where the last iterator has stopped: two of them share the devices.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: buffer, token: token)
    }
}
