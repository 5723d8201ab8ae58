#if os(Linux)
internal import Synchronization

/// The state that the private bus shares with its thread.
final class BusHub: Sendable {
    /// A task of the thread; tasks are carried out in order.
    enum Command: Sendable {
        case client(Int32)
        case listener(Listener)
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
    let wakeReader: Int32
    private let lastNumber = Atomic<UInt64>(0)
    private let state = Mutex(State())
    private let wakeWriter: Int32

    init(limits: PrivateBus.Limits = .init()) throws(DBusError) {
        self.limits = limits
        var random = SystemRandomNumberGenerator()
        let bytes: [UInt8] = (0..<16).map { _ in random.next() }
        id = AuthenticationLine.hexadecimal(bytes)
        let pair = try SystemSocket.pair()
        (wakeReader, wakeWriter) = (pair.0, pair.1)
    }

    deinit {
        SystemSocket.close(wakeReader)
        SystemSocket.close(wakeWriter)
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

    func add(_ socket: Int32) -> Bool {
        change { state in
            guard !state.isClosed else { return false }
            state.commands.append(.client(socket))
            return true
        }
    }

    func nextNumber() -> UInt64 { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    func addListener(_ listener: Listener, _ place: DBusAddress.Socket) -> Bool {
        change { state in
            guard !state.isClosed else { return false }
            state.commands.append(.listener(listener))
            if let path = place.path { state.files.append(path) }
            return true
        }
    }

    /// Disconnects the clients that have arrived so far; later ones stay connected.
    func disconnectAll() { change { $0.commands.append(.disconnectAll) } }

    /// Ends the bus. Files are removed before this returns, as the process may end right after it;
    /// and before the thread closes the listeners, as another program may replace the file of a
    /// dead socket.
    func close() {
        change { state in
            for file in state.files { SystemSocket.remove(file) }
            state.files = []
            state.isClosed = true
            state.commands.append(.close)
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

    @discardableResult
    private func change<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
        let value = state.withLock { change(&$0) }
        withUnsafeBytes(of: UInt8(0)) { _ = SystemSocket.send(wakeWriter, $0, []) }
        return value
    }
}
#endif
