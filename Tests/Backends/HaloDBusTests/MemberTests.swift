import TestSupport
import Testing

@testable import HaloDBus

/// The members of an exported object, as a client of each bus uses them.
@Suite(.takesTurns) struct MemberTests {
    private static let name = "org.example.Halo"
    private static let thing = DBusInterface(
        "org.example.Thing",
        methods: [
            .init(
                "Join", [.init("texts", .array(.string)), .init("number", .uint32)],
                returns: [.init("text", .string), .init("count", .uint32)])
        ],
        properties: [
            .init("Level", .byte, .readwrite), .init("Name", .string),
            .init("Hidden", .uint16),
        ],
        signals: [.init("Happened", [.init("what", .string), .init("where", .objectPath)])])

    private struct Bench {
        let bus: RunningBus
        let server: DBusConnection
        let client: DBusConnection

        init(_ kind: TestBus) async throws {
            bus = try kind.start()
            server = try await bus.connect()
            let object = DBusObject(
                [thing],
                values: [
                    thing.name: ["Level": .byte(64), "Name": .string("Ring"), "Hidden": .uint16(1)]
                ])
            try server.export(object, at: path("/one")) { request in
                guard case .method = request.subject else { return request.accept() }
                let texts = request.arguments.first?.elements?.compactMap(\.string) ?? []
                let number = request.arguments.last?.integer ?? 0
                request.reply([
                    .string(texts.joined(separator: "-") + " \(number)"),
                    .uint32(UInt32(texts.count)),
                ])
            }
            try await server.requestName(name)
            client = try await bus.connect()
        }

        func call(
            _ member: String, _ arguments: [DBusValue] = [], of interface: String = thing.name
        ) async throws(DBusError) -> DBusReply {
            try await client.call(
                DBusCall(member, of: interface, at: path("/one"), on: name, arguments))
        }

        func property(_ name: String) async throws(DBusError) -> DBusValue {
            try await client.property(
                name, of: thing.name, at: path("/one"), on: MemberTests.name)
        }

        func set(_ name: String, to value: DBusValue) async throws(DBusError) {
            try await client.setProperty(
                name, of: thing.name, at: path("/one"), on: MemberTests.name, to: value)
        }

        func emit(_ texts: String..., at place: String = "/one") throws {
            for text in texts {
                try server.emit(
                    DBusSignal(
                        "Happened", of: thing.name, at: path(place),
                        [.string(text), .objectPath(path("/a/b"))]))
            }
        }

        /// The signals that match a rule, from now on.
        func hear(
            _ rule: DBusMatchRule
        ) async throws -> (heard: Collector<DBusSignal>, subscription: DBusSubscription) {
            let heard = Collector<DBusSignal>()
            return (heard, try await client.subscription(rule) { heard.append($0) })
        }

        /// Waits until the client has received all that the server has sent.
        func settle() async throws {
            _ = try await server.call(.bus(DBusMessageBus.getID))
            _ = try await client.call(.bus(DBusMessageBus.getID))
        }
    }

    @Test(arguments: TestBus.available)
    func methodsAndPropertiesAreUsed(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let reply = try await bench.call("Join", [.strings(["a", "b"]), .uint32(7)])
        #expect(reply.values == [.string("a-b 7"), .uint32(2)])
        #expect(try await bench.property("Level") == .byte(64))
        try await bench.set("Level", to: .byte(5))
        #expect(try await bench.property("Level") == .byte(5))
        let all = try await bench.call(
            DBusProperties.getAll, [.string(Self.thing.name)], of: DBusProperties.interfaceName)
        #expect(
            try all.first()
                == .properties([
                    "Level": .byte(5), "Name": .string("Ring"), "Hidden": .uint16(1),
                ]))
        await #expect(throws: DBusError.self) { try await bench.set("Name", to: .string("x")) }
        let error = await #expect(throws: DBusError.self) { try await bench.call("None") }
        #expect(error?.kind == .remote && error?.name == DBusErrorName.unknownMethod)
    }

    @Test(arguments: TestBus.available)
    func signalsOfOneObjectComeInOrder(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let (heard, subscription) = try await bench.hear(
            DBusMatchRule(
                sender: Self.name, path: path("/one"), interface: Self.thing.name,
                member: "Happened"))
        try bench.emit("a", "b")
        try bench.emit("elsewhere", at: "/two")
        try bench.emit("c")
        try await bench.settle()
        #expect(heard.all.map { $0.values.first?.string } == ["a", "b", "c"])
        withExtendedLifetime(subscription) {}
    }

    /// The bus and the connection agree which arguments match.
    @Test(arguments: TestBus.available)
    func argumentsAreMatched(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let rules = [("org.a", ["org.a"]), ("org", [])]
        var listeners: [(heard: Collector<DBusSignal>, subscription: DBusSubscription)] = []
        for (argument, _) in rules {
            listeners.append(
                try await bench.hear(
                    DBusMatchRule(interface: Self.thing.name, firstArgument: argument)))
        }
        try bench.emit("org.a", "org.ab", "org.a.b")
        try await bench.settle()
        for (listener, (argument, expected)) in zip(listeners, rules) {
            #expect(
                listener.heard.all.compactMap { $0.values.first?.string } == expected,
                "\(argument)")
        }
    }

    @Test(arguments: TestBus.available)
    func changesOfPropertiesAreSignalled(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let (heard, subscription) = try await bench.hear(
            DBusMatchRule(
                sender: Self.name, path: path("/one"), interface: DBusProperties.interfaceName,
                member: DBusProperties.propertiesChanged, firstArgument: Self.thing.name))
        try await bench.set("Level", to: .byte(9))
        try bench.server.set(
            ["Name": .string("New"), "Hidden": .uint16(2)], of: Self.thing.name, at: path("/one"))
        let name = DBusValue.string(Self.thing.name)
        #expect(
            try await heard.wait(for: 2).map(\.values) == [
                [name, .properties(["Level": .byte(9)]), .strings([])],
                [
                    name, .properties(["Name": .string("New"), "Hidden": .uint16(2)]), .strings([]),
                ],
            ])
        withExtendedLifetime(subscription) {}
    }

    /// A subscription that the bus refuses, and one of a connection that has ended.
    @Test(arguments: TestBus.available)
    func subscriptionsAreRefused(_ kind: TestBus) async throws {
        let bench = try await Bench(kind)
        defer { bench.bus.kill() }
        let refusal = await #expect(throws: DBusError.self) {
            _ = try await bench.hear(DBusMatchRule(member: "a.b"))
        }
        #expect(refusal?.kind == .remote)
        let (heard, subscription) = try await bench.hear(DBusMatchRule(member: "Happened"))
        try bench.emit("a", "b", "c")
        try await bench.settle()
        let ends = Collector<DBusError.Kind>()
        bench.client.onEnd { ends.append($0.kind) }
        bench.bus.kill()
        #expect(try await ends.wait(for: 1) == [.disconnected])
        // What came before the end was delivered.
        #expect(heard.all.count == 3)
        let late = await #expect(throws: DBusError.self) {
            _ = try await bench.hear(DBusMatchRule(member: "Happened"))
        }
        #expect(late?.kind == .disconnected)
        withExtendedLifetime(subscription) {}
    }

    /// A bus that dies before it knows a rule says so to the one who waits.
    @Test func theEndIsReportedToSubscribers() async throws {
        let ends = try DBusDescriptor.socketPair()
        guard let end = ends.take(0) else { throw TestBus.Missing() }
        let connection = try DBusConnection(owning: end)
        let told = Collector<DBusError.Kind?>()
        let subscription = try connection.subscribe(
            DBusMatchRule(member: "Happened"), ready: { told.append($0?.kind) }, receive: { _ in })
        _ = ends.take(1)
        #expect(try await told.wait(for: 1) == [.disconnected])
        withExtendedLifetime(subscription) {}
    }

    @Test func aReleasedSubscriptionEnds() async throws {
        let bench = try await Bench(.own)
        do {
            let listener = try await bench.hear(DBusMatchRule(member: "Happened"))
            try bench.emit("a")
            _ = try await listener.heard.wait(for: 1)
        }
        #expect(bench.client.hub.read { $0.subscribers.isEmpty })
        #expect(bench.client.hub.read { $0.session.matching.count } == 0)
    }
}
