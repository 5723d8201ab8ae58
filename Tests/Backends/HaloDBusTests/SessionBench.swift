@testable import HaloDBus

extension DBusSession {
    /// Returns the effects since the last call.
    mutating func drainEffects() -> [Effect] {
        var effects: [Effect] = []
        while let effect = nextEffect() { effects.append(effect) }
        return effects
    }
}

/// A session with a handmade bus.
struct SessionBench {
    var session: DBusSession
    /// The messages that the session sent.
    private(set) var sent: [DBusMessage] = []
    private(set) var said: [UInt8] = []
    private var stream = DBusMessageStream()
    private var input = DBusInput()
    private var isPastBegin = false

    /// A session that starts at 0, with a deadline at 1000.
    init(_ limits: DBusSession.Limits = .init()) {
        session = DBusSession(DBusAuthentication(userID: 0), limits: limits, until: 1000)
    }

    /// A session after `Hello`.
    static func open(_ limits: DBusSession.Limits = .init()) throws -> SessionBench {
        var bench = SessionBench(limits)
        try bench.letIn()
        _ = try bench.take()
        try bench.answer("Hello", [.string(":1.9")])
        _ = bench.session.drainEffects()
        return bench
    }

    mutating func letIn() throws {
        try take()
        receive(Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8))
        try take()
        receive(Array("AGREE_UNIX_FD\r\n".utf8))
    }

    mutating func receive(_ bytes: [UInt8]) {
        input.append(bytes.span) { session.authenticate($0) }
        while session.canReceive, let item = input.next() { session.receive(item) }
        if session.endError != nil { while input.next() != nil {} }
    }

    mutating func receiveEnd() { session.receiveEnd(isInsideMessage: input.isInsideMessage) }

    mutating func receive(_ message: DBusMessage) throws { receive(try message.encoded()) }

    /// Receives the session's output, at most so many bytes at once; returns its messages.
    @discardableResult
    mutating func take(atOnce: Int = 1 << 20) throws -> [DBusMessage] {
        var bytes: [UInt8] = []
        session.send { all, _ in
            bytes.append(contentsOf: all.prefix(atOnce))
            return min(all.count, atOnce)
        }
        var messages: [DBusMessage] = []
        if !isPastBegin {
            said += bytes
            guard let end = said.firstRange(of: Array("BEGIN\r\n".utf8)) else { return [] }
            isPastBegin = true
            bytes = Array(said[end.upperBound...])
            said.removeSubrange(end.upperBound...)
        }
        stream.append(bytes.span)
        while let (message, _) = try stream.next() { messages.append(message) }
        sent += messages
        return messages
    }

    /// Replies to the last call of a method.
    mutating func answer(_ member: String, _ values: [DBusValue] = []) throws {
        try take()
        guard let call = sent.last(where: { $0.member == member }) else { return }
        try receive(DBusMessage(.reply(to: call.serial), serial: 77, body: values))
    }

    mutating func refuse(_ member: String, _ name: String) throws {
        try take()
        guard let call = sent.last(where: { $0.member == member }) else { return }
        try receive(
            DBusMessage(.error(name: name, to: call.serial), serial: 78, body: [.string("why")]))
    }

    /// Exports an object whose method returns a descriptor, and calls it.
    mutating func exportOpener() throws {
        let open = DBusInterface.Method("Open", returns: [.init("file", .unixFD)])
        try session.export(DBusObject([DBusInterface("a.b", methods: [open])]), at: .root)
        try receive(DBusMessage(.call(path: .root, interface: "a.b", member: "Open"), serial: 5))
    }

    /// The effects since the last call, as text.
    mutating func effects() -> [String] {
        session.drainEffects().flatMap { effect -> [String] in
            switch effect {
            case .ready: ["ready"]
            case .completed(let serial, .success(let reply)): ["\(serial): \(reply.values)"]
            case .completed(let serial, .failure(let error)):
                ["\(serial): \(error.name ?? error.description)"]
            case .subscribed(let id, let error):
                ["subscribed \(id) \(error.map { $0.name ?? $0.description } ?? "")"]
            case .signal(let signal, let ids): ["\(signal.member) to \(ids)"]
            case .values(let values, let ids): values.signals.map { "\($0.member) to \(ids)" }
            case .request(let request): ["asked \(request.member)"]
            case .ended(let error): ["ended: \(error)"]
            }
        }
    }
}
