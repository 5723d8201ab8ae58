import Synchronization
import TestSupport
import Testing

@testable import HaloDBus

/// Connections over sockets, on the private bus and on dbus-daemon.
@Suite(.isAlone) struct ConnectionTests {
    @Test(.enabled(if: TestBus.available.contains(.daemon), "dbus-daemon is not installed"))
    func dbusDaemonIsInstalled() async throws {
        let bus = try TestBus.daemon.start()
        defer { bus.kill() }
        #expect(try await bus.connect().uniqueName == ":1.0")
    }

    @Test(arguments: TestBus.available)
    func theBusAssignsNames(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (one, other) = (try await bus.connect(), try await bus.connect())
        #expect(one.uniqueName != nil)
        #expect(one.uniqueName != other.uniqueName)
        #expect(one.busID == bus.address.busID)
        let name = "org.example.Halo"
        #expect(try await one.owner(of: name) == nil)
        #expect(try await one.requestName(name) == .owner)
        #expect(try await one.requestName(name) == .alreadyOwner)
        #expect(try await other.requestName(name, .doesNotQueue) == .taken)
        #expect(try await other.requestName(name) == .queued)
        #expect(try await other.owner(of: name) == one.uniqueName)
        #expect(try await other.names().contains(name))
        for code: UInt32 in [1, 3] {  // released; not the owner any more
            let reply = try await one.call(.bus(DBusMessageBus.releaseName, .string(name)))
            #expect(reply.values == [.uint32(code)])
        }
        #expect(try await one.owner(of: name) == other.uniqueName)
        let id = try await one.call(.bus("GetId")).first().string
        // dbus-daemon has one for each address.
        #expect(kind == .daemon || id == one.busID)
    }

    @Test(arguments: TestBus.available)
    func aReplacedOwnerIsSignalled(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (one, other) = (try await bus.connect(), try await bus.connect())
        let (lost, changes) = (Collector<String>(), Collector<[DBusValue]>())
        let name = "org.example.Halo"
        let first = try one.subscribe(DBusMatchRule(sender: DBusName.bus, member: "NameLost")) {
            lost.append($0.values.first?.string ?? "")
        }
        let second = try await other.subscription(.ownerChange(of: name)) {
            changes.append($0.values)
        }
        #expect(try await one.requestName(name, .allowsReplacement) == .owner)
        #expect(try await other.requestName(name, .replacesOwner) == .owner)
        #expect(try await lost.wait(for: 1) == [name])
        let names = (one.uniqueName ?? "", other.uniqueName ?? "")
        #expect(
            try await changes.wait(for: 2) == [
                [.string(name), .string(""), .string(names.0)],
                [.string(name), .string(names.0), .string(names.1)],
            ])
        one.close()
        other.close()
        withExtendedLifetime((first, second)) {}
    }

    private static let echo = DBusInterface(
        "org.example.Echo",
        methods: [
            .init("Echo", [.init("value", .variant)], returns: [.init("value", .variant)]),
            .init("Never"),
            .init("Refuse"),
        ])

    /// A server and a client.
    private func pair(
        _ bus: RunningBus
    ) async throws -> (server: DBusConnection, client: DBusConnection, kept: Collector<DBusRequest>)
    {
        let (server, client) = (try await bus.connect(), try await bus.connect())
        let kept = Collector<DBusRequest>()
        try server.export(DBusObject([Self.echo]), at: path("/echo")) { request in
            switch request.member {
            case "Echo": request.reply(request.arguments)
            case "Never": kept.append(request)
            default: request.refuse(DBusRefusal("org.example.Error.No", "never"))
            }
        }
        return (server, client, kept)
    }

    private func call(
        _ member: String, _ server: DBusConnection, _ arguments: DBusValue...
    ) -> DBusCall {
        DBusCall(
            member, of: "org.example.Echo", at: path("/echo"), on: server.uniqueName ?? "",
            arguments)
    }

    @Test(arguments: TestBus.available)
    func callsGetReplies(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (server, client, kept) = try await pair(bus)
        for seed in 0..<100 {
            var samples = Samples(UInt64(seed))
            let type = samples.type(2)
            guard !type.code.contains("h"), !type.code.contains("v") else { continue }
            let sent = DBusValue.variant(samples.value(type))
            let reply = try await client.call(call("Echo", server, sent))
            #expect(reply.values == [sent], "seed \(seed)")
            #expect(reply.sender == server.uniqueName)
        }
        let large = DBusValue.variant(.bytes([UInt8](repeating: 7, count: 5_000_000)))
        #expect(try await client.call(call("Echo", server, large)).values == [large])
        await #expect(
            throws: DBusError(.remote, name: "org.example.Error.No", details: "never")
        ) { try await client.call(call("Refuse", server)) }
        // Two calls get no reply now: one times out, one is cancelled.
        await #expect(throws: DBusError(.timedOut)) {
            try await client.call(call("Never", server), timeout: .milliseconds(20))
        }
        let waiting = Task { try await client.call(call("Never", server)) }
        _ = try await kept.wait(for: 2)
        waiting.cancel()
        await #expect(throws: DBusError(.cancelled)) { try await waiting.value }
        kept.all.forEach { $0.reply() }
        _ = try await client.call(call("Echo", server, .variant(.byte(1))))
        #expect(client.hub.read { $0.completions.count } == 0)
    }

    @Test(arguments: TestBus.available)
    func requestsOfARemovedObjectAreRefused(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (server, client, kept) = try await pair(bus)
        let never = call("Never", server)
        let waiting = Task { try await client.call(never) }
        _ = try await kept.wait(for: 1)
        server.unexport(path("/echo"))
        let error = await #expect(throws: DBusError.self) { try await waiting.value }
        #expect(error?.name == "org.freedesktop.DBus.Error.UnknownObject")
    }

    @Test(arguments: TestBus.available)
    func callsToADisconnectedPeerFail(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (server, client, kept) = try await pair(bus)
        let never = call("Never", server)
        let waiting = Task { try await client.call(never) }
        _ = try await kept.wait(for: 1)
        server.close()
        let error = await #expect(throws: DBusError.self) { try await waiting.value }
        #expect(error?.name == "org.freedesktop.DBus.Error.NoReply")
        let second = await #expect(throws: DBusError.self) { try await client.call(never) }
        #expect(second?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test(arguments: TestBus.available)
    func descriptorsArePassed(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (server, client) = (try await bus.connect(), try await bus.connect())
        let opened = Collector<DBusDescriptors>()
        let files = DBusInterface(
            "org.example.Files",
            methods: [.init("Open", returns: [.init("file", .unixFD)])])
        try server.export(DBusObject([files]), at: path("/files")) { request in
            guard let ends = try? DBusDescriptor.socketPair(), let one = ends.take(0) else {
                return request.refuse(.failed("no socket"))
            }
            opened.append(ends)
            request.reply([.unixFD(0)], passing: one)
        }
        let open = DBusCall(
            "Open", of: files.name, at: path("/files"), on: server.uniqueName ?? "")
        let before = openDescriptorCount()
        for round in 0..<50 {
            let reply = try await client.call(open)
            guard let back = reply.descriptors.take(0),
                let other = try await opened.wait(for: round + 1)[round].take(1)
            else {
                Issue.record("no descriptor has come in round \(round)")
                return
            }
            withUnsafeBytes(of: UInt8(42)) { _ = SystemSocket.send(back.number, $0, []) }
            var (bytes, control): ([UInt8], [UInt8]) = ([0, 0], [])
            _ = SystemSocket.receive(other.number, into: &bytes, control: &control)
            #expect(bytes[0] == 42)
        }
        // The last one may still be on its way out of the bus; other suites open files, too.
        try await eventually("\(before) descriptors, not \(openDescriptorCount())") {
            openDescriptorCount() <= before + 2
        }
    }

    @Test(arguments: TestBus.available)
    func signalsKeepTheirOrder(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let (sender, receiver) = (try await bus.connect(), try await bus.connect())
        _ = try await sender.requestName("org.example.Sender")
        let (named, other) = (Collector<Int64>(), Collector<Int64>())
        let rules = [
            DBusMatchRule(sender: "org.example.Sender", member: "Count"),
            DBusMatchRule(sender: "org.example.Nobody"),
        ]
        let first = try await receiver.subscription(rules[0]) {
            named.append($0.values.first?.integer ?? -1)
        }
        let second = try await receiver.subscription(rules[1]) { _ in other.append(0) }
        let signal = { (number: Int32) in
            DBusSignal("Count", of: "org.example.Thing", at: path("/a"), [.int32(number)])
        }
        for number in 0..<2000 { try sender.emit(signal(Int32(number))) }
        #expect(try await named.wait(for: 2000) == Array(0..<2000))
        #expect(other.all == [])
        first.cancel()
        try sender.emit(signal(0))
        // A signal to this connection alone has no subscription either.
        let directed = DBusMessage(
            .signal(path: path("/a"), interface: "org.example.Thing", member: "Count"),
            serial: 1 << 20, destination: receiver.uniqueName, body: [.int32(0)])
        try sender.hub.update { (state) throws(DBusError) in try state.session.enqueue(directed) }
        _ = try await receiver.call(
            DBusCall("Ping", of: "org.freedesktop.DBus.Peer", at: .root, on: "org.example.Sender"))
        #expect(named.all.count == 2000)
        second.cancel()
        #expect(receiver.hub.read { $0.session.matching.isEmpty })
        let bad = DBusMatchRule(sender: "no name")
        await #expect(throws: DBusError.self) { try await receiver.subscription(bad) { _ in } }
        #expect(receiver.hub.read { $0.session.matching.isEmpty })
        #expect(receiver.hub.read { $0.subscribers.isEmpty })
    }

    /// A rule with a well-known name matches signals of its owner.
    @Test(arguments: TestBus.available)
    func namesAreFollowed(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let receiver = try await bus.connect()
        let heard = Collector<String>()
        let rule = DBusMatchRule(sender: "org.example.Sender")
        let subscription = try await receiver.subscription(rule) { signal in
            heard.append(signal.sender ?? "")
        }
        var expected: [String] = []
        for _ in 0..<3 {
            let sender = try await bus.connect()
            let signal = DBusSignal("S", of: "a.b", at: .root)
            try sender.emit(signal)
            _ = try await sender.requestName("org.example.Sender")
            try sender.emit(signal)
            expected.append(sender.uniqueName ?? "")
            #expect(try await heard.wait(for: expected.count) == expected)
            _ = try await sender.call(
                .bus(DBusMessageBus.releaseName, .string("org.example.Sender")))
        }
        subscription.cancel()
    }
}
