#if os(Linux)
internal import Synchronization

/// The state that the private bus shares with its thread.
final class BusHub: Sendable {
    /// A task of the thread; tasks are carried out in order.
    enum Command: Sendable {
        case client(Int32)
        case listener(Listener)
        /// Disconnects the clients that have arrived so far; later ones stay connected.
        case disconnectAll
        /// The last one.
        case close
    }

    struct Listener: Sendable {
        let socket: Int32
        let access: PrivateBus.Access

        /// `true` if a user may connect. `nil` means that the system does not report the user.
        func admits(_ user: UInt32?) -> Bool {
            access == .everyone || user == SystemSocket.userID || user == 0
        }
    }

    private struct State: Sendable {
        var commands: [Command] = []
        /// Files to remove when the bus ends.
        var files: [String] = []
        var isClosed = false
        var onExpulsion: (@Sendable (PrivateBus.Expulsion) -> Void)?
    }

    let id: String
    let limits: PrivateBus.Limits
    let wakeUp: WakeUp
    private let lastNumber = Atomic<UInt64>(0)
    private let state = Mutex(State())

    init(limits: PrivateBus.Limits = .init()) throws(DBusError) {
        self.limits = limits
        var random = SystemRandomNumberGenerator()
        let bytes: [UInt8] = (0..<16).map { _ in random.next() }
        id = AuthenticationLine.hexadecimal(bytes)
        wakeUp = try WakeUp()
    }

    func start() throws(DBusError) {
        let hasStarted = SystemThread.start { [self] in
            var loop = BusLoop(self)
            loop.run()
        }
        guard hasStarted else {
            throw DBusError(.limitExceeded, details: "no thread can be started")
        }
    }

    func nextNumber() -> UInt64 { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Sends a command to the thread; `false` if the bus has ended. `file` is a listener's, and is
    /// removed at the end of the bus: before `send(.close)` returns, as the process may end right
    /// after it; and before the thread closes the listeners, as another program may replace the
    /// file of a dead socket.
    @discardableResult
    func send(_ command: Command, file: String? = nil) -> Bool {
        defer { wakeUp.send() }
        return state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            if let file { state.files.append(file) }
            guard case .close = command else { return true }
            for file in state.files { SystemSocket.remove(file) }
            state.isClosed = true
            return true
        }
    }

    func onExpulsion(_ handler: @escaping @Sendable (PrivateBus.Expulsion) -> Void) {
        state.withLock { $0.onExpulsion = handler }
    }

    func expelled(_ expulsion: PrivateBus.Expulsion) {
        state.withLock { $0.onExpulsion }?(expulsion)
    }

    func drain() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }
}
#endif
