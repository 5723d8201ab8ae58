#if os(Linux)
internal import Synchronization

/// A socket at which programs arrive, and the users whose programs may connect.
struct BusListener: Sendable {
    let socket: Int32
    let access: PrivateBus.Access

    /// `true` if programs of a user may connect; `nil` is a user that the system does not tell.
    func admits(_ user: UInt32?) -> Bool {
        switch access {
        case .user: user == SystemSocket.userID || user == 0
        case .everyone: true
        }
    }
}

/// What the private bus's thread and everybody else share.
final class BusHub: Sendable {
    struct State: Sendable {
        var arriving: [Int32] = []
        var listeners: [BusListener] = []
        /// Files that are to be removed in the end.
        var files: [String] = []
        var mustDisconnectAll = false
        /// Those who came just before everybody was to be cut off.
        var cutOff: [Int32] = []
        var isClosed = false
    }

    let id: String
    /// How many bytes are kept for a client that does not take them.
    let mostKept: Int
    let wakeReader: Int32
    private let state = Mutex(State())
    private let wakeWriter: Int32

    /// As many as the system's bus keeps, `max_outgoing_bytes` of dbus-daemon.
    static let usuallyKept = 127 << 20

    init(mostKept: Int = BusHub.usuallyKept) throws(DBusError) {
        self.mostKept = mostKept
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
        guard hasStarted else { throw DBusError(.tooMuch, details: "no thread can be started") }
    }

    func add(_ socket: Int32) -> Bool {
        change { state in
            guard !state.isClosed else { return false }
            state.arriving.append(socket)
            return true
        }
    }

    func addListener(_ listener: BusListener, _ place: DBusAddress.Socket) -> Bool {
        change { state in
            guard !state.isClosed else { return false }
            state.listeners.append(listener)
            if case .path(let path) = place { state.files.append(path) }
            return true
        }
    }

    /// Who comes after this call is let in.
    func disconnectAll() {
        change { state in
            state.mustDisconnectAll = true
            state.cutOff += state.arriving
            state.arriving = []
        }
    }

    /// Files are gone when this returns, whatever becomes of the program then.
    func close() {
        let files = change { state in
            state.isClosed = true
            defer { state.files = [] }
            return state.files
        }
        for file in files { SystemSocket.remove(file) }
    }

    /// What there is to be done, once.
    func take() -> State {
        state.withLock { state in
            let taken = state
            state.arriving = []
            state.cutOff = []
            state.mustDisconnectAll = false
            return taken
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
