#if canImport(CoreBluetooth)
internal import HaloProtocol
internal import HaloTransport

/// The app's end of a hosted device: what its threads read, and the waits for the end.
final class HostHandle: HostControl {
    private struct State: Sendable {
        var isConnected = false
        var notes: [HostingNote] = []
        var end: Result<BLEError?, Never>?
        var waiters: [UInt64: @Sendable (BLEError?) -> Void] = [:]
        var last: UInt64 = 0
    }

    static let maximumNotes = 64

    private let state = Guarded(State())
    private let requestRemoval: @Sendable () -> Void

    init(remove: @escaping @Sendable () -> Void) { requestRemoval = remove }

    /// The system does not tell under which identifier this computer is known.
    var identity: PeripheralIdentity? { nil }

    var isConnected: Bool { state.withLock { $0.isConnected } }

    var notes: [HostingNote] { state.withLock { $0.notes } }

    func remove() async {
        requestRemoval()
        await withCheckedContinuation { continuation in
            _ = wait { _ in continuation.resume() }
        }
    }

    func waitUntilEnded() async -> BLEError? {
        let reply = Reply<BLEError?>()
        let number = wait { reply.send($0) }
        defer { stopWaiting(number) }
        return await reply.value(ifCancelled: nil)
    }

    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Calls a function at the end, or at once if the end has come.
    private func wait(_ body: @escaping @Sendable (BLEError?) -> Void) -> UInt64 {
        let (number, end) = state.withLock { state in
            state.last += 1
            if state.end == nil { state.waiters[state.last] = body }
            return (state.last, state.end)
        }
        if case .success(let error) = end { body(error) }
        return number
    }

    private func stopWaiting(_ number: UInt64) {
        state.withLock { $0.waiters[number] = nil }
    }

    // MARK: For the queue

    func connected(_ isConnected: Bool) { state.withLock { $0.isConnected = isConnected } }

    /// Adds a note, unless there is an equal one.
    func note(_ note: HostingNote) {
        state.withLock { state in
            guard state.notes.count < Self.maximumNotes, !state.notes.contains(note) else { return }
            state.notes.append(note)
        }
    }

    /// Reports the end, once.
    func end(_ error: BLEError?) {
        let waiters = state.withLock { state -> [@Sendable (BLEError?) -> Void] in
            guard state.end == nil else { return [] }
            state.end = .success(error)
            state.isConnected = false
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter(error) }
    }
}
#endif
