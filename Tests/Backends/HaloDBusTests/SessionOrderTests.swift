import TestSupport
import Testing

@testable import HaloDBus

/// The order of a session's effects and messages, compared as a whole.
@Suite(.computes) struct SessionOrderTests {
    private var bench: SessionBench

    init() throws { bench = try SessionBench.open() }

    private static let ping = DBusCall("Ping", of: "a.b", at: .root, on: ":1.2")

    private static func signal(
        _ member: String = "S", at place: String = "/a", of interface: String = "a.b",
        by sender: String = ":1.1", saying values: [DBusValue] = []
    ) -> DBusMessage {
        var message = DBusMessage(
            .signal(path: path(place), interface: interface, member: member), body: values)
        message.sender = sender
        return message
    }

    /// Between two signals of one object comes one that differs in one respect.
    @Test(arguments: [
        (DBusMatchRule(path: path("/a")), signal(at: "/b")),
        (DBusMatchRule(pathNamespace: path("/a")), signal(at: "/b")),
        (DBusMatchRule(member: "S"), signal("T")),
        (DBusMatchRule(interface: "a.b"), signal(of: "a.c")),
        (DBusMatchRule(sender: ":1.1"), signal(by: ":1.2")),
        (DBusMatchRule(firstArgument: "x"), signal(saying: [.string("y")])),
        (DBusMatchRule(firstArgument: "x"), signal(saying: [.bytes([1])])),
    ])
    func similarSignalsAreToldApart(_ rule: DBusMatchRule, _ other: DBusMessage) throws {
        for isFirst in [true, false] {
            var bench = try SessionBench.open()
            let id = try bench.session.subscribe(rule, until: 9)
            try bench.answer("AddMatch")
            _ = bench.effects()
            let meant = Self.signal(saying: [.string("x"), .string("z")])
            var expected: [String] = []
            for round in 0..<6 {
                let isMeant = (round % 2 == 0) == isFirst
                try bench.receive(isMeant ? meant : other)
                if isMeant { expected.append("S to [\(id)]") }
            }
            #expect(bench.effects() == expected)
        }
    }

    /// Subscriptions are listed in the order of their creation, for any rules.
    @Test mutating func subscriptionsKeepTheirOrder() throws {
        let rules = [
            DBusMatchRule(path: path("/a")), DBusMatchRule(member: "S"),
            DBusMatchRule(path: path("/a"), member: "S"), DBusMatchRule(path: path("/b")),
            DBusMatchRule(interface: "a.b"), DBusMatchRule(),
        ]
        let ids = try rules.map { try bench.session.subscribe($0, until: 9) }
        #expect(ids == [1, 2, 3, 4, 5, 6])
        try bench.take()
        for call in bench.sent where call.member == "AddMatch" {
            try bench.receive(DBusMessage(.reply(to: call.serial)))
        }
        #expect(bench.effects() == ids.map { "subscribed \($0) " })
        try bench.receive(Self.signal())
        #expect(bench.effects() == ["S to [1, 2, 3, 5, 6]"])
        bench.session.unsubscribe(1)
        bench.session.unsubscribe(5)
        try bench.receive(Self.signal())
        #expect(bench.effects() == ["S to [2, 3, 6]"])
    }

    /// A rule is added as text, and removed with the same text, without a reply.
    @Test mutating func rulesAreAddedAndRemoved() throws {
        let rule = DBusMatchRule(sender: "org.a", path: path("/a"), member: "S")
        let id = try bench.session.subscribe(rule, until: 9)
        let change = """
            type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',\
            interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.a'
            """
        let own = "type='signal',sender='org.a',path='/a',member='S'"
        let added = try bench.take()
        #expect(added.map(\.member) == ["AddMatch", "GetNameOwner", "AddMatch"])
        #expect(added.map(\.body) == [[.string(change)], [.string("org.a")], [.string(own)]])
        #expect(added.allSatisfy { $0.flags == [] && $0.destination == DBusName.bus })
        #expect(added.allSatisfy { $0.path == .bus && $0.interface == DBusName.bus })
        bench.session.unsubscribe(id)
        let removed = try bench.take()
        #expect(removed.map(\.member) == ["RemoveMatch", "RemoveMatch"])
        #expect(removed.map(\.body) == [[.string(own)], [.string(change)]])
        #expect(removed.allSatisfy { $0.flags == .noReplyExpected })
        #expect(bench.session.matching.isEmpty)
        // The replies to the calls meanwhile have no receiver.
        for call in added { try bench.receive(DBusMessage(.reply(to: call.serial))) }
        #expect(bench.effects() == [])
        #expect(bench.session.calls.isEmpty && bench.session.matching.isEmpty)
    }

    /// A subscription that ends before the bus replies gets no effect; the others do.
    @Test mutating func anEndedSubscriptionGetsNoEffect() throws {
        let rule = DBusMatchRule(member: "S")
        let ids = try (0..<3).map { _ in try bench.session.subscribe(rule, until: 9) }
        try bench.take()
        bench.session.unsubscribe(ids[1])
        try bench.answer("AddMatch")
        #expect(bench.effects() == ["subscribed \(ids[0]) ", "subscribed \(ids[2]) "])
        #expect(try bench.take() == [])
    }

    /// Unique names, and the bus, need no look-up of an owner.
    @Test(arguments: [":1.5", DBusName.bus])
    mutating func uniqueNamesNeedNoOwner(_ name: String) throws {
        let id = try bench.session.subscribe(DBusMatchRule(sender: name), until: 9)
        #expect(try bench.take().map(\.member) == ["AddMatch"])
        try bench.answer("AddMatch")
        try bench.receive(Self.signal(by: name))
        try bench.receive(Self.signal(by: ":1.6"))
        #expect(bench.effects() == ["subscribed \(id) ", "S to [\(id)]"])
    }

    /// A failed subscription leaves nothing behind.
    @Test func aFailedSubscriptionLeavesNothing() throws {
        var limits = DBusSession.Limits()
        limits.pendingCalls = 2
        var bench = try SessionBench.open(limits)
        let error = DBusError(.limitExceeded, details: "calls that are not answered")
        #expect(throws: error) {
            try bench.session.subscribe(DBusMatchRule(sender: "org.a"), until: 9)
        }
        #expect(bench.session.matching.isEmpty)
        // The rule itself was never sent.
        let sent = try bench.take()
        #expect(sent.map(\.member) == ["AddMatch", "GetNameOwner", "RemoveMatch"])
        #expect(sent.first?.body == sent.last?.body)
        bench.session.tick(at: 9)
        #expect(bench.effects() == [])
        #expect(bench.session.calls.isEmpty)
    }

    /// A name's watch whose rule the bus has refused does not remove the same rule of others.
    @Test mutating func aRefusedWatchRemovesNoRule() throws {
        let watching = try bench.session.subscribe(DBusMatchRule(sender: "org.a"), until: 9)
        let refused = try bench.take()[0]
        try bench.receive(
            DBusMessage(.error(name: "a.Refused", to: refused.serial), serial: 78))
        let own = try bench.session.subscribe(.ownerChange(of: "org.a"), until: 9)
        #expect(try bench.take().map(\.body) == [refused.body])
        try bench.answer("AddMatch")
        #expect(bench.effects() == ["subscribed \(own) "])
        bench.session.unsubscribe(watching)
        let removed = try bench.take()
        #expect(removed.map(\.body) == [[.string("type='signal',sender='org.a'")]])
        bench.session.unsubscribe(own)
        #expect(try bench.take().map(\.body) == [refused.body])
        #expect(bench.session.matching.isEmpty)
    }

    @Test mutating func aRefusedWatchIsRequestedAgain() throws {
        let rule = DBusMatchRule(sender: "org.a")
        let first = try bench.session.subscribe(rule, until: 9)
        let refused = try bench.take()[0]
        try bench.receive(
            DBusMessage(.error(name: "a.Refused", to: refused.serial), serial: 78))
        let later = try bench.session.subscribe(rule, until: 9)
        let sent = try bench.take()
        #expect(sent.map(\.member) == ["AddMatch", "GetNameOwner"])
        #expect(sent.first?.body == refused.body)
        for id in [first, later] { bench.session.unsubscribe(id) }
        #expect(try bench.take().map(\.member) == ["RemoveMatch", "RemoveMatch"])
        #expect(bench.session.matching.isEmpty)
    }

    /// All calls end in the order in which they were made; then the end is the last effect.
    @Test mutating func theEndComesLast() throws {
        let calls = try (0..<20).map { try bench.session.call(Self.ping, until: 100 - $0) }
        let id = try bench.session.subscribe(DBusMatchRule(), until: 9)
        try bench.take()
        let end = DBusError(.disconnected, details: "it was closed here")
        bench.session.end(end)
        #expect(
            bench.effects()
                == calls.map { "\($0): \(end)" } + ["subscribed \(id) \(end)", "ended: \(end)"])
        #expect(bench.session.deadline == nil)
        #expect(bench.session.matching.isEmpty && bench.session.calls.isEmpty)
        #expect(!bench.session.hasOutput && bench.session.outgoing.byteCount == 0)
        bench.session.end(DBusError(.timedOut))
        try bench.receive(Self.signal())
        #expect(bench.effects() == [])
        #expect(bench.session.endError == end)
        #expect(throws: end) { try bench.session.emit(DBusSignal("S", of: "a.b", at: .root)) }
        #expect(throws: end) { try bench.session.subscribe(DBusMatchRule(), until: 9) }
    }

    /// Calls that time out at once end in the order of their deadlines, then of their numbers.
    @Test mutating func timeoutsHaveAnOrder() throws {
        let calls = try [7, 5, 9, 5, 7].map { try bench.session.call(Self.ping, until: $0) }
        bench.session.tick(at: 4)
        #expect(bench.effects() == [])
        bench.session.tick(at: 8)
        let late = DBusError(.timedOut)
        #expect(bench.effects() == [1, 3, 0, 4].map { "\(calls[$0]): \(late)" })
        #expect(bench.session.deadline == 9)
    }

    /// Errors without a text, with another value first, and with a text.
    @Test func errorsHaveNameAndText() throws {
        let cases: [([DBusValue], String?)] = [
            ([], nil), ([.int32(1), .string("x")], nil), ([.string("x"), .string("y")], "x"),
        ]
        for (values, details) in cases {
            var bench = try SessionBench.open()
            let serial = try bench.session.call(Self.ping, until: 9)
            try bench.receive(DBusMessage(.error(name: "a.E", to: serial), body: values))
            guard case .completed(serial, .failure(let error))? = bench.session.drainEffects().first
            else { throw TestBus.Missing() }
            #expect(error == DBusError(.remote, name: "a.E", details: details))
        }
    }

    /// A reply to `Hello` without a valid name ends the connection.
    @Test(arguments: [[], [.uint32(1)], [.string("x")]] as [[DBusValue]])
    func helloNeedsAName(_ values: [DBusValue]) throws {
        var bench = SessionBench()
        try bench.letIn()
        try bench.answer("Hello", values)
        #expect(bench.session.uniqueName == nil)
        #expect(
            bench.session.endError
                == DBusError(.unexpectedReply, details: "Hello without a name"))
    }

    /// Only the bus's own signal sets an owner, and only with valid arguments.
    @Test mutating func onlyTheBusSetsOwners() throws {
        let id = try bench.session.subscribe(DBusMatchRule(sender: "org.a"), until: 9)
        try bench.answer("GetNameOwner", [.string(":1.1")])
        let values: [DBusValue] = [.string("org.a"), .string(":1.1"), .string(":1.2")]
        let changes = [
            Self.signal("NameOwnerChanged", by: ":1.2", saying: values),
            Self.signal("NameChanged", by: DBusName.bus, saying: values),
            Self.signal("NameOwnerChanged", by: DBusName.bus, saying: values.dropLast()),
            Self.signal("NameOwnerChanged", by: DBusName.bus, saying: values + [.string(":1.2")]),
        ]
        for change in changes {
            try bench.receive(change)
            try bench.receive(Self.signal(by: ":1.1"))
            try bench.receive(Self.signal(by: ":1.2"))
        }
        #expect(bench.effects() == [String](repeating: "S to [\(id)]", count: 4))
    }

    /// A reply that cannot be encoded becomes an error.
    @Test mutating func aReplyThatCannotBeEncodedIsAnError() throws {
        let thing = DBusInterface(
            "a.b", methods: [.init("Do", returns: [.init("text", .string)])])
        try bench.session.export(DBusObject([thing]), at: .root)
        var call = DBusMessage(.call(path: .root, interface: "a.b", member: "Do"), serial: 5)
        call.sender = ":1.3"
        try bench.receive(call)
        bench.session.reply(1, [.string("a\0b")])
        let answers = try bench.take()
        #expect(
            answers.map(\.kind) == [.error(name: "org.freedesktop.DBus.Error.Failed", to: 5)])
        #expect(answers.map(\.destination) == [":1.3"])
        #expect(answers.map(\.flags) == [.noReplyExpected])
        #expect(
            answers.first?.body.first?.string?.contains("no valid text") == true,
            "\(answers)")
    }

    /// An error reply with a text and without.
    @Test mutating func anErrorReplyMayHaveNoText() throws {
        try bench.session.export(
            DBusObject([DBusInterface("a.b", methods: [.init("Do")])]), at: .root)
        let call = DBusMessage(.call(path: .root, interface: "a.b", member: "Do"), serial: 5)
        try bench.receive(call)
        try bench.receive(call)
        bench.session.refuse(2, DBusRefusal("a.E"))
        bench.session.refuse(1, DBusRefusal("no name", "why"))
        bench.session.refuse(1, DBusRefusal("a.E"))
        let answers = try bench.take()
        #expect(
            answers.map(\.kind) == [
                .error(name: "a.E", to: 5),
                .error(name: "org.freedesktop.DBus.Error.Failed", to: 5),
            ])
        #expect(answers.map(\.body) == [[], [.string("why")]])
    }

    /// A reply with a descriptor that the bus does not pass becomes an error.
    @Test func withoutDescriptorsNoneAreSent() throws {
        var bench = SessionBench()
        try bench.take()
        bench.receive(Array("OK 0123456789abcdef0123456789abcdef\r\nERROR\r\n".utf8))
        try bench.answer("Hello", [.string(":1.9")])
        #expect(!bench.session.passesDescriptors)
        try bench.exportOpener()
        bench.session.reply(1, [.unixFD(0)], try DBusDescriptor.socketPair())
        let answers = try bench.take()
        #expect(answers.map(\.descriptorCount) == [0])
        #expect(answers.map(\.body) == [[.string(DBusError(.noDescriptors).description)]])
    }
}
