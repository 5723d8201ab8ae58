/// Whether Bluetooth can be used: now, and each time that it changes.
///
/// It never ends by itself; it throws ``BLEError/Kind/cancelled`` when the waiting task is
/// cancelled. Of changes that nobody takes, the last few are kept.
public struct AdapterStates: AsyncSequence, Sendable {
    let buffer: StreamBuffer<AdapterState>
    let token: ReleaseToken

    /// Goes through the states.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let buffer: StreamBuffer<AdapterState>
        let token: ReleaseToken

        /// Waits for the next state; the first one is there at once.
        public nonisolated(nonsending) mutating func next() async throws(BLEError)
            -> AdapterState?
        {
            try await buffer.next()?.element
        }
    }

    /// Goes on where the last iterator has stopped: two of them share the states.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: buffer, token: token)
    }
}
