#if os(Linux)
internal import Synchronization

/// A socket of packets as the connection's thread knows it: the thread alone reads and closes it,
/// anybody writes, under the lock.
final class DBusPacketWatch: Sendable {
    typealias Completion = @Sendable (Bool) -> Void

    /// Whom to tell of packets.
    enum Receiver: Sendable {
        /// One at a time.
        case each(@Sendable ([UInt8]) -> Void)
        /// All at once that have come at once.
        case all(@Sendable ([[UInt8]]) -> Void)
    }

    enum Sending {
        /// The system has taken the packet, or never will.
        case done(Bool)
        /// It waits until the other side takes something.
        case waits
    }

    private struct State: Sendable {
        /// Nil when nothing is told any more.
        var receive: Receiver?
        /// Nil when it is closed.
        var ended: (@Sendable () -> Void)?
        var outgoing = DBusQueue<(packet: [UInt8], completion: Completion)>()
    }

    static let queueLength = 256

    let socket: Int32
    private let state: Mutex<State>

    init(
        _ socket: Int32, receive: Receiver, ended: @escaping @Sendable () -> Void
    ) {
        self.socket = socket
        state = Mutex(State(receive: receive, ended: ended))
    }

    var hasOutput: Bool { state.withLock { !$0.outgoing.isEmpty } }

    func send(_ packet: [UInt8], _ completion: @escaping Completion) -> Sending {
        state.withLock { state in
            guard state.receive != nil, state.ended != nil else { return .done(false) }
            guard state.outgoing.isEmpty else {
                guard state.outgoing.count < Self.queueLength else { return .done(false) }
                state.outgoing.append((packet, completion))
                return .waits
            }
            switch SystemSocket.send(socket, packet: packet) {
            case .bytes: return .done(true)
            case .ended: return .done(false)
            case .later:
                state.outgoing.append((packet, completion))
                return .waits
            }
        }
    }

    /// Nothing is told any more, and nothing sent; it stays open until ``finish()``.
    func close() {
        // Let go outside of the lock: what it holds may call back.
        let receive = state.withLock { state in
            defer { state.receive = nil }
            return state.receive
        }
        withExtendedLifetime(receive) {}
    }

    // MARK: On the thread

    /// Tells packets; whether more are wanted.
    func tell(_ packets: [[UInt8]]) -> Bool {
        for packet in packets {
            switch state.withLock({ $0.receive }) {
            case .each(let receive):
                receive(packet)
            case .all(let receive):
                receive(packets)
                return true
            case nil:
                return false
            }
        }
        return true
    }

    /// Writes what waits; whether that is all.
    func flush() -> Bool {
        while true {
            let (sent, isLate) = state.withLock { state -> ((Completion, Bool)?, Bool) in
                guard state.ended != nil, let next = state.outgoing.first else {
                    return (nil, false)
                }
                switch SystemSocket.send(socket, packet: next.packet) {
                case .later: return (nil, true)
                case .bytes:
                    _ = state.outgoing.popFirst()
                    return ((next.completion, true), false)
                case .ended:
                    _ = state.outgoing.popFirst()
                    return ((next.completion, false), false)
                }
            }
            guard let (completion, isTaken) = sent else { return !isLate }
            completion(isTaken)
        }
    }

    /// Closes the socket, and tells everybody who waits.
    func finish() {
        let left = state.withLock { state -> State? in
            guard state.ended != nil else { return nil }
            SystemSocket.close(socket)
            defer { state = State() }
            return state
        }
        guard var left else { return }
        while let waiting = left.outgoing.popFirst() { waiting.completion(false) }
        left.ended?()
    }
}
#endif
