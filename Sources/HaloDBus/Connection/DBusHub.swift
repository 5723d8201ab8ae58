#if os(Linux)
internal import Synchronization

/// A session with its socket and its thread.
///
/// Rules:
/// - One thread reads, and calls everything that is to be called, in the order in which it came.
///   Nothing is called while the state is locked, and no message is read from its bytes.
/// - Whoever asks for something writes it at once, if the socket takes it; what it does not take
///   waits in the session's queue, and the thread writes it when it can.
/// - The thread is woken only when it would sleep too long. It sleeps until the earliest deadline
///   that it ever heard of, and finds out when it wakes that there is nothing to do.
/// - What ends while others write is closed by the thread alone, and under the lock, so that
///   nobody writes to a descriptor that is another one meanwhile.
final class DBusHub: Sendable {
    typealias Completion = @Sendable (Result<DBusReply, DBusError>) -> Void

    struct Subscriber: Sendable {
        enum Receiver: Sendable {
            /// Wants one signal at a time.
            case each(@Sendable (DBusSignal) -> Void)
            /// Wants all at once that have come one after the other; values of properties in
            /// another way, if there is one.
            case all(
                @Sendable ([DBusSignal]) -> Void,
                values: (@Sendable (DBusPropertyValues) -> Void)?)
        }

        let receiver: Receiver
        var ready: (@Sendable (DBusError?) -> Void)?
    }

    struct State: Sendable {
        var session: DBusSession
        var socket: Int32?
        var completions: [UInt32: Completion] = [:]
        var subscribers: [UInt32: Subscriber] = [:]
        var objects: [DBusObjectPath: @Sendable (DBusRequest) -> Void] = [:]
        var onReady: [@Sendable (DBusError?) -> Void] = []
        var onEnd: [@Sendable (DBusError) -> Void] = []
        /// Sockets that are watched beside the bus's own.
        var packets: [ObjectIdentifier: DBusPacketWatch] = [:]
        /// What is watched has changed since the thread went to sleep last.
        var watchesOthers = false
        /// Called before and after much is called at once.
        var around: (begin: @Sendable () -> Void, end: @Sendable () -> Void)?
        /// What is to be called that the session knows nothing of.
        var work: [@Sendable () -> Void] = []
        /// Why nothing can be written any more.
        var writeFault: String?
        var isAsleep = false
        /// It sleeps so that things come together, and does not look whether they do.
        var rests = false
        var gathering = DBusGathering()
        var sleepsUntil = Int64.max
        var watchesOutput = false
        /// The thread has done all it will ever do.
        var isFinished = false
    }

    let state: Mutex<State>
    /// Somebody wants the thread to look again before it waits.
    let isCalled = Atomic(false)
    /// The thread waits, or is about to: only a byte can wake it.
    let isWaiting = Atomic(false)
    /// One end is read by the thread, the other written by whoever wakes it.
    private let wakeUp: (reader: Int32, writer: Int32)

    /// A hub with a socket, or with none yet; the bus has that long to let us in.
    init(
        _ socket: Int32?, limits: DBusSession.Limits = .init(), timeout: Duration
    ) throws(DBusError) {
        var session = DBusSession(
            DBusAuthentication(userID: SystemSocket.userID), limits: limits,
            until: SystemSocket.now() &+ timeout.microseconds)
        session.objects.machineID = SystemSocket.machineID
        state = Mutex(State(session: session, socket: socket))
        let pair = try SystemSocket.pair()
        wakeUp = (pair.0, pair.1)
    }

    deinit {
        SystemSocket.close(wakeUp.reader)
        SystemSocket.close(wakeUp.writer)
    }

    /// Begins the thread, which looks for a bus first if there is no socket yet.
    func start(_ addresses: [DBusAddress] = []) throws(DBusError) {
        let hasStarted = SystemThread.start { [self] in
            openSocket(addresses)
            run()
        }
        guard !hasStarted else { return }
        let socket = state.withLock { state in
            state.isFinished = true
            defer { state.socket = nil }
            return state.socket
        }
        if let socket { SystemSocket.close(socket) }
        throw DBusError(.tooMuch, details: "no thread can be started")
    }

    /// Changes the state, writes what is to be written, and wakes the thread if it has to do
    /// something about it.
    @discardableResult
    func update<Value: Sendable, Failure: Error>(
        _ change: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { (state) throws(Failure) -> Value in
            defer {
                state.write()
                if state.needsThread {
                    state.isAsleep = false
                    wake()
                }
            }
            return try change(&state)
        }
    }

    /// Lets the thread call something. `false` if there is none any more: then nobody calls it.
    func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
        update { state in
            if !state.isFinished { state.work.append(work) }
            return !state.isFinished
        }
    }

    private func wake() {
        isCalled.store(true, ordering: .sequentiallyConsistent)
        guard isWaiting.load(ordering: .sequentiallyConsistent) else { return }
        withUnsafeBytes(of: UInt8(0)) { _ = SystemSocket.send(wakeUp.writer, $0, []) }
    }

    /// What was woken need not be woken again.
    func takeWakeUp() {
        var bytes = SystemSocket.room(64)
        var nothing: [UInt8] = []
        _ = SystemSocket.receive(wakeUp.reader, into: &bytes, control: &nothing)
    }

    /// Where the thread hears that it is to wake up.
    var alarm: Int32 { wakeUp.reader }
}

extension DBusHub.State {
    /// Whether the thread sleeps and should not.
    var needsThread: Bool {
        guard isAsleep else { return false }
        return session.hasEffects || !work.isEmpty || watchesOthers || session.endError != nil
            || writeFault != nil || session.hasOutput && !watchesOutput && socket != nil
            || session.deadline.map { $0 < sleepsUntil } == true
            || rests && !session.calls.isEmpty
    }

    /// Writes as much as the socket takes.
    mutating func write() {
        guard let socket, writeFault == nil else { return }
        var fault: String?
        session.send { bytes, descriptors in
            let outcome =
                descriptors.map { held in
                    held.withNumbers { SystemSocket.send(socket, bytes, $0) }
                } ?? SystemSocket.send(socket, bytes, [])
            switch outcome {
            case .bytes(let count): return count
            case .later: return nil
            case .ended(let reason):
                fault = reason ?? "nothing can be written"
                return nil
            }
        }
        writeFault = fault
    }
}

extension Duration {
    /// In microseconds, never negative and never so long that sums overflow.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(seconds, 1 << 40) * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
#endif
