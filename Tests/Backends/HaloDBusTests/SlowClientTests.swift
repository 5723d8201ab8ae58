import TestSupport
import Testing

@testable import HaloDBus

/// Slow clients of a bus.
@Suite(.takesTurns) struct SlowClientTests {
    private static let page = DBusValue.string(String(repeating: "a", count: 1 << 14))
    private static let loud = "org.example.Loud"

    private static func said(_ number: UInt32) -> DBusSignal {
        DBusSignal("Said", of: loud, at: .root, [.uint32(number), page])
    }

    private static func subscribe(_ deaf: DeafClient) throws {
        #expect(try deaf.ask("AddMatch", [.string("type='signal',interface='\(loud)'")]))
        while let message = try deaf.next(), message.type != .reply {}
    }

    /// The number of the next signal; other messages are skipped.
    private static func number(_ deaf: DeafClient) throws -> DBusValue? {
        while let message = try deaf.next() {
            if message.member == "Said" { return message.body.first }
        }
        return nil
    }

    @Test(arguments: TestBus.available)
    func aSlowClientDelaysNoOtherAndLosesNothing(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let deaf = try DeafClient(bus)
        try Self.subscribe(deaf)
        let talker = try await bus.connect()
        // Far more than the system buffers for a socket.
        for number in UInt32(0)..<500 { try talker.emit(Self.said(number)) }
        #expect(try await talker.names().contains(deaf.name))
        for number in UInt32(0)..<500 {
            #expect(try Self.number(deaf) == .uint32(number))
        }
    }

    /// What a client sends before it closes is delivered, also if it has not read its messages.
    @Test(arguments: TestBus.available)
    func theLastWordsOfASlowClientAreDelivered(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let talker = try await bus.connect()
        let (words, gone) = (Collector<DBusValue?>(), Collector<DBusValue?>())
        let said = try talker.subscribe(DBusMatchRule(member: "Bye")) {
            words.append($0.values.first)
        }
        let changed = try talker.subscribe(DBusMatchRule(member: "NameOwnerChanged")) {
            if $0.values.last == .string("") { gone.append($0.values.first) }
        }
        var name = ""
        do {
            let deaf = try DeafClient(bus)
            name = deaf.name
            try Self.subscribe(deaf)
            for number in UInt32(0)..<500 { try talker.emit(Self.said(number)) }
            #expect(try await talker.names().contains(name))
            let bye = DBusMessage.Kind.signal(path: .root, interface: Self.loud, member: "Bye")
            let message = DBusMessage(bye, serial: 100, body: [.uint32(7)])
            #expect(deaf.say(try message.encoded()))
        }
        #expect(try await words.wait(for: 1) == [.uint32(7)])
        #expect(try await gone.wait(for: 1) == [.string(name)])
        withExtendedLifetime((said, changed)) {}
    }

    @Test func callsToAFullClientFail() async throws {
        let bus = try PrivateBus(limits: .init(bufferBytes: 1 << 18))
        let deaf = try DeafClient(bus)
        let talker = try await bus.connect()
        let errors = Collector<DBusError?>()
        for _ in 0..<100 {
            let call = DBusCall("Say", of: Self.loud, at: .root, on: deaf.name, [Self.page])
            talker.call(call, timeout: .seconds(600)) { result in
                if case .failure(let error) = result { errors.append(error) }
            }
        }
        // 1.6 MB, of which the bus and the system buffer less than half.
        _ = try await errors.wait(for: 50)
        #expect(try await talker.names().contains(deaf.name))
        let refused = errors.all.compactMap(\.self)
        #expect(refused.allSatisfy { $0.name == "org.freedesktop.DBus.Error.LimitsExceeded" })
        // All calls that were not refused have arrived; then the client works as before.
        for _ in refused.count..<100 {
            while let message = try deaf.next(), message.member != "Say" {}
        }
        try Self.subscribe(deaf)
        try talker.emit(Self.said(1))
        #expect(try Self.number(deaf) == .uint32(1))
        #expect(errors.all.count == refused.count)
    }

    /// A bus with a small buffer, and the clients that it disconnects.
    private static func bus() throws -> (PrivateBus, Collector<PrivateBus.Expulsion>) {
        let bus = try PrivateBus(limits: .init(bufferBytes: limit))
        let expelled = Collector<PrivateBus.Expulsion>()
        bus.onExpulsion { expelled.append($0) }
        return (bus, expelled)
    }

    private static let limit = 1 << 18

    private static func expulsion(_ deaf: DeafClient) -> PrivateBus.Expulsion {
        PrivateBus.Expulsion(
            client: deaf.name, process: SystemSocket.processID, reason: .doesNotRead)
    }

    /// Signals to its subscription, or to everything, as a monitor.
    @Test(arguments: [false, true])
    func aSubscriberThatDoesNotReadIsDisconnected(isMonitor: Bool) async throws {
        let (bus, expelled) = try Self.bus()
        let deaf = try DeafClient(bus)
        if isMonitor {
            #expect(
                try deaf.ask(
                    "BecomeMonitor", [.strings([]), .uint32(0)],
                    of: "org.freedesktop.DBus.Monitoring"))
        } else {
            try Self.subscribe(deaf)
        }
        let talker = try await bus.connect()
        for number in UInt32(0)..<100 { try talker.emit(Self.said(number)) }
        #expect(try await expelled.wait(for: 1) == [Self.expulsion(deaf)])
        #expect(try await !talker.names().contains(deaf.name))
        // What the system has buffered is there: the first ones, in order, and then the end.
        var count: UInt32 = 0
        while let number = try Self.number(deaf) {
            #expect(number == .uint32(count))
            count += 1
        }
        #expect((1..<100).contains(count))
    }

    /// Each of the clients has fewer bytes than it may have.
    @Test func manyClientsThatDoNotReadHaveOneLimit() async throws {
        let bus = try PrivateBus(limits: .init(unreadBytes: 1 << 21))
        let expelled = Collector<PrivateBus.Expulsion>()
        bus.onExpulsion { expelled.append($0) }
        let deaf = try (0..<8).map { _ in try DeafClient(bus) }
        for client in deaf { try Self.subscribe(client) }
        let talker = try await bus.connect()
        for number in UInt32(0)..<60 { try talker.emit(Self.said(number)) }
        // 8 × 1 MB, of which the system buffers less than half.
        let gone = try await expelled.wait(for: 3)
        let all = Set(deaf.map(Self.expulsion))
        #expect(all.isSuperset(of: gone))
        let names = try await talker.names()
        #expect(deaf.contains { names.contains($0.name) })
    }

    /// Replies of the bus itself.
    @Test func aCallerThatDoesNotReadIsDisconnected() async throws {
        let (bus, expelled) = try Self.bus()
        let deaf = try DeafClient(bus)
        var count = 0
        while count < 100_000, try deaf.ask("GetId") { count += 1 }
        #expect(count < 100_000)
        #expect(try await expelled.wait(for: 1) == [Self.expulsion(deaf)])
        let other = try await bus.connect()
        #expect(try await !other.names().contains(deaf.name))
    }

    /// A service with a property of one page, and little room for replies.
    private static func service(on bus: PrivateBus) async throws -> DBusConnection {
        let service = try DBusConnection(owning: try bus.socket())
        let limits = DBusSession.Limits(outgoingBytes: 1 << 16, answerBytes: 1 << 16)
        service.hub.update { $0.session.limits = limits }
        try await service.ready()
        let room = DBusInterface("a.b", properties: [.init("Page", .string)])
        let object = DBusObject([room], values: ["a.b": ["Page": page]])
        try service.export(object, at: .root)
        return service
    }

    /// A flood of calls to a service, whose replies are not read: the service stays.
    @Test func aFloodOfCallsDoesNotEndTheService() async throws {
        let (bus, expelled) = try Self.bus()
        let service = try await Self.service(on: bus)
        let deaf = try DeafClient(bus)
        let other = try await bus.connect()
        let name = try #require(service.uniqueName)
        let (properties, page) = (
            DBusProperties.interfaceName, [DBusValue.string("a.b"), .string("Page")]
        )
        var count = 0
        while count < 100_000,
            try deaf.ask("Get", page, of: properties, at: .root, on: name)
        { count += 1 }
        let read = try await other.property("Page", of: "a.b", at: .root, on: name)
        #expect(read == Self.page)
        #expect(try await expelled.wait(for: 1) == [Self.expulsion(deaf)])
    }

    /// Calls wait for the room of their replies.
    @Test func aFloodOfCallsIsAnswered() async throws {
        let bus = try PrivateBus()
        let service = try await Self.service(on: bus)
        let client = try await bus.connect()
        let answers = Collector<Bool>()
        let get = DBusCall(
            "Get", of: DBusProperties.interfaceName, at: .root,
            on: try #require(service.uniqueName),
            [.string("a.b"), .string("Page")])
        for _ in 0..<1000 { client.call(get) { answers.append($0.isSuccess) } }
        #expect(try await answers.wait(for: 1000).allSatisfy(\.self))
    }

    /// One client's calls wait for each other, and those of other clients do not wait for them.
    @Test func aFloodOfCallsDoesNotDelayThoseOfOthers() async throws {
        let bus = try PrivateBus()
        let deaf = try DeafClient(bus)
        let (flooder, other) = (try await bus.connect(), try await bus.connect())
        let flood = DBusCall("Flood", of: Self.loud, at: .root, on: deaf.name, [Self.page])
        for _ in 0..<400 { flooder.call(flood, timeout: .seconds(600)) { _ in } }
        _ = try await flooder.names()
        other.call(
            DBusCall("Say", of: Self.loud, at: .root, on: deaf.name), timeout: .seconds(600)
        ) { _ in }
        _ = try await other.names()
        var members: [String] = []
        while members.last != "Say", let message = try deaf.next() {
            members.append(message.member ?? "")
        }
        // The system has buffered some; of the rest, one turn comes before.
        #expect(members.count < 200)
    }

    /// A call that is longer than the buffer takes no room from what its receiver has asked for.
    @Test func aLongCallLeavesRoomForSignals() async throws {
        let (bus, expelled) = try Self.bus()
        let deaf = try DeafClient(bus)
        try Self.subscribe(deaf)
        let talker = try await bus.connect()
        let long = DBusValue.string(String(repeating: "a", count: 3 * Self.limit))
        let refused = Collector<DBusError?>()
        for _ in 0..<2 {
            talker.call(
                DBusCall("Say", of: Self.loud, at: .root, on: deaf.name, [long]),
                timeout: .seconds(600)
            ) { refused.append($0.failure) }
        }
        for number in UInt32(0)..<10 { try talker.emit(Self.said(number)) }
        _ = try await talker.names()
        #expect(expelled.all == [])
        #expect(refused.all.map { $0?.name } == ["org.freedesktop.DBus.Error.LimitsExceeded"])
        for number in UInt32(0)..<10 { #expect(try Self.number(deaf) == .uint32(number)) }
    }

    /// One sender fills an eighth of a client's buffer with what the client has not asked for, and
    /// all together half of it: a caller is refused for its own calls only.
    @Test func aFloodOfCallsLeavesRoomForThoseOfOthers() async throws {
        let (bus, expelled) = try Self.bus()
        let deaf = try DeafClient(bus)
        try Self.subscribe(deaf)
        let call = DBusCall("Say", of: Self.loud, at: .root, on: deaf.name, [Self.page])
        let (flooder, floods) = (try await bus.connect(), Collector<DBusError?>())
        for _ in 0..<100 {
            flooder.call(call, timeout: .seconds(600)) { floods.append($0.failure) }
        }
        _ = try await flooder.names()
        #expect((1..<99).contains(floods.all.count))
        var refusals = 0
        for _ in 0..<8 {
            let other = try await bus.connect()
            let refused = Collector<DBusError?>()
            other.call(call, timeout: .seconds(600)) { refused.append($0.failure) }
            _ = try await other.names()
            refusals += refused.all.count
            if refusals > 0 { break }
        }
        // The system buffers some, the flooder has an eighth, and the rest is four of six pages.
        #expect(refusals == 1)
        #expect(expelled.all == [])
        // Subscribed signals have room.
        try flooder.emit(Self.said(1000))
        _ = try await flooder.names()
        #expect(try Self.number(deaf) == .uint32(1000))
    }
}
