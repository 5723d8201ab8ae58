import TestSupport
import Testing

@testable import HaloDBus

/// A session with handmade messages.
@Suite(.computes) struct SessionTests {
    private var bench: SessionBench

    init() throws { bench = try SessionBench.open() }

    private static let ping = DBusCall(
        "Ping", of: "org.freedesktop.DBus.Peer", at: .root, on: "org.example")

    private static func signal(
        _ member: String, _ values: [DBusValue] = [], sender: String, path: DBusObjectPath = .root
    ) -> DBusMessage {
        var message = DBusMessage(
            .signal(path: path, interface: "a.b", member: member), body: values)
        message.sender = sender
        return message
    }

    private static func ownerChange(_ name: String, _ owner: String) -> DBusMessage {
        var message = DBusMessage(
            .signal(path: .bus, interface: DBusName.bus, member: "NameOwnerChanged"),
            body: [.string(name), .string(""), .string(owner)])
        message.sender = DBusName.bus
        return message
    }

    @Test func itAuthenticatesAndSaysHello() throws {
        var bench = SessionBench()
        let call = try bench.session.call(Self.ping, until: 500)
        #expect(bench.session.deadline == 500)
        try bench.letIn()
        #expect(try bench.take().map(\.member) == ["Hello", "Ping"])
        #expect(
            String(decoding: bench.said, as: UTF8.self)
                == "\0AUTH EXTERNAL 30\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n")
        try bench.answer("Hello", [.string(":1.9")])
        #expect(bench.effects() == ["ready"])
        #expect(bench.session.uniqueName == ":1.9")
        try bench.answer("Ping")
        #expect(bench.effects() == ["\(call): []"])
        #expect(bench.session.deadline == nil)
    }

    @Test func aSilentBusTimesOut() throws {
        var silent = SessionBench()
        silent.session.tick(at: 999)
        #expect(silent.effects() == [])
        silent.session.tick(at: 1000)
        #expect(silent.session.endError?.kind == .timedOut)
        var greeted = SessionBench()
        let call = try greeted.session.call(Self.ping, until: 5000)
        try greeted.letIn()
        greeted.session.tick(at: 1000)
        #expect(
            greeted.effects() == [
                "\(call): no answer came in time", "ended: no answer came in time",
            ])
        #expect(greeted.session.deadline == nil)
        #expect(throws: DBusError(.timedOut)) { try greeted.session.call(Self.ping, until: 9) }
    }

    @Test(arguments: ["HTTP/1.1 400\r\n", "\0\0\0", "REJECTED\r\n"])
    func otherProtocolsAreRefused(_ text: String) {
        var bench = SessionBench()
        bench.receive(Array(text.utf8))
        #expect(bench.session.endError?.kind == .notAuthenticated)
    }

    @Test func anotherBusIsRefused() throws {
        var bench = SessionBench()
        bench.session.expectedBusID = "ffffffffffffffffffffffffffffffff"
        try bench.letIn()
        #expect(bench.session.endError?.kind == .notAuthenticated)
    }

    @Test mutating func eachCallEndsOnce() throws {
        let calls = try (0..<5).map { try bench.session.call(Self.ping, until: 100 + $0) }
        #expect(Set(calls).count == 5)
        try bench.take()
        try bench.receive(DBusMessage(.reply(to: calls[1]), body: [.byte(1)]))
        try bench.receive(
            DBusMessage(.error(name: "a.b", to: calls[2]), body: [.int32(1), .string("x")]))
        bench.session.cancel(calls[3])
        bench.session.tick(at: 100)
        #expect(
            bench.effects() == [
                "\(calls[1]): [HaloDBus.DBusValue.byte(1)]", "\(calls[2]): a.b",
                "\(calls[3]): the call was cancelled", "\(calls[0]): no answer came in time",
            ])
        for call in calls.dropLast() {
            try bench.receive(DBusMessage(.reply(to: call)))
            bench.session.cancel(call)
        }
        try bench.receive(DBusMessage(.reply(to: 4711)))
        bench.session.tick(at: 103)
        #expect(bench.effects() == [])
        bench.receiveEnd()
        bench.receiveEnd()
        bench.session.tick(at: .max)
        let end = "the connection has ended: the bus has closed it"
        #expect(bench.effects() == ["\(calls[4]): \(end)", "ended: \(end)"])
    }

    @Test mutating func anIncompleteMessageIsReported() throws {
        let bytes = try DBusMessage(.reply(to: 1)).encoded()
        bench.receive(Array(bytes.prefix(20)))
        bench.receiveEnd()
        #expect(bench.session.endError?.details?.hasSuffix("in the middle of a message") == true)
    }

    @Test mutating func garbageEndsTheConnection() throws {
        _ = try bench.session.call(Self.ping, until: 100)
        bench.receive([UInt8](repeating: 0x20, count: 16))
        #expect(
            bench.session.endError
                == DBusError(
                    .malformed, wire: DBusWireError(.wrongEndianness, at: 0)))
        #expect(bench.effects().count == 2)
        var other = try SessionBench.open()
        try other.receive(DBusMessage(.reply(to: 1), body: [], descriptorCount: 1))
        #expect(other.session.endError?.wire?.kind == .missingDescriptor)
    }

    @Test mutating func unknownMessageTypesAreSkipped() throws {
        let call = try bench.session.call(Self.ping, until: 100)
        var bytes = try DBusMessage(.reply(to: call)).encoded()
        bytes[1] = 9
        bench.receive(bytes)
        #expect(bench.effects() == [])
        try bench.receive(DBusMessage(.reply(to: call)))
        #expect(bench.effects().count == 1)
    }

    @Test func bytesMayComeInAnyPieces() throws {
        var whole = try SessionBench.open()
        var messages: [UInt8] = []
        _ = try whole.session.subscribe(DBusMatchRule(), until: 9)
        try whole.answer("AddMatch")
        for seed in 0..<40 {
            messages += try Self.signal("S\(seed)", [.string("x")], sender: ":1.1").encoded()
        }
        for size in [1, 2, 7, 16, 100, messages.count] {
            var bench = whole
            _ = bench.effects()
            for start in stride(from: 0, to: messages.count, by: size) {
                bench.receive(Array(messages[start...].prefix(size)))
            }
            #expect(bench.effects() == (0..<40).map { "S\($0) to [1]" }, "\(size) at once")
        }
    }

    @Test mutating func rulesAreCounted() throws {
        let rule = DBusMatchRule(interface: "a.b")
        let one = try bench.session.subscribe(rule, until: 9)
        let two = try bench.session.subscribe(rule, until: 9)
        #expect(try bench.take().map(\.member) == ["AddMatch"])
        #expect(bench.effects() == [])
        try bench.answer("AddMatch")
        #expect(bench.effects() == ["subscribed \(one) ", "subscribed \(two) "])
        let three = try bench.session.subscribe(rule, until: 9)
        #expect(bench.effects() == ["subscribed \(three) "])
        try bench.receive(Self.signal("S", sender: ":1.1"))
        #expect(bench.effects() == ["S to [\(one), \(two), \(three)]"])
        bench.session.unsubscribe(two)
        bench.session.unsubscribe(one)
        bench.session.unsubscribe(one)
        #expect(try bench.take() == [])
        bench.session.unsubscribe(three)
        let removal = try bench.take()
        #expect(removal.map(\.member) == ["RemoveMatch"])
        #expect(removal.first?.body == [.string("type='signal',interface='a.b'")])
        #expect(bench.session.matching.isEmpty)
    }

    @Test mutating func aRefusedRuleEndsItsSubscriptions() throws {
        let rule = DBusMatchRule(interface: "a.b")
        _ = try bench.session.subscribe(rule, until: 9)
        try bench.refuse("AddMatch", "a.Refused")
        #expect(bench.effects() == ["subscribed 1 a.Refused"])
        #expect(bench.session.matching.isEmpty)
        #expect(try bench.take() == [])
        // A subscription that ended before gets no effect, and does not remove the next one's
        // rule.
        let second = try bench.session.subscribe(rule, until: 9)
        try bench.take()
        bench.session.unsubscribe(second)
        let third = try bench.session.subscribe(rule, until: 99)
        let adds = bench.sent.filter { $0.member == "AddMatch" }
        try bench.receive(
            DBusMessage(.error(name: "a.Late", to: adds[1].serial), serial: 5))
        #expect(bench.effects() == [])
        try bench.answer("AddMatch")
        #expect(bench.effects() == ["subscribed \(third) "])
    }

    /// After a timeout a slow bus may still add the rule: it is removed.
    @Test mutating func aRuleThatTimedOutIsRemoved() throws {
        let rule = DBusMatchRule(interface: "a.b")
        let (one, two) = (
            try bench.session.subscribe(rule, until: 9), try bench.session.subscribe(rule, until: 9)
        )
        try bench.take()
        bench.session.tick(at: 9)
        #expect(bench.effects() == (one...two).map { "subscribed \($0) no answer came in time" })
        let removals = try bench.take()
        #expect(removals.map(\.member) == ["RemoveMatch"])
        #expect(removals.first?.body == [.string("type='signal',interface='a.b'")])
        #expect(bench.session.matching.isEmpty)
        // The late reply has no receiver, and the next subscription adds the rule anew.
        try bench.answer("AddMatch")
        let third = try bench.session.subscribe(rule, until: 20)
        #expect(try bench.take().map(\.member) == ["AddMatch"])
        #expect(bench.effects() == [])
        try bench.answer("AddMatch")
        #expect(bench.effects() == ["subscribed \(third) "])
    }

    @Test mutating func signalsOfANameAreThoseOfItsOwner() throws {
        let id = try bench.session.subscribe(DBusMatchRule(sender: "org.a"), until: 9)
        #expect(try bench.take().map(\.member) == ["AddMatch", "GetNameOwner", "AddMatch"])
        try bench.receive(Self.signal("Early", sender: ":1.1"))
        try bench.answer("GetNameOwner", [.string(":1.1")])
        try bench.receive(Self.signal("First", sender: ":1.1"))
        try bench.receive(Self.signal("Other", sender: ":1.2"))
        try bench.receive(Self.ownerChange("org.a", ":1.2"))
        try bench.receive(Self.signal("Second", sender: ":1.2"))
        try bench.receive(Self.signal("Former", sender: ":1.1"))
        try bench.receive(Self.ownerChange("org.a", ""))
        try bench.receive(Self.signal("Nobody", sender: ":1.2"))
        #expect(bench.effects() == ["First to [\(id)]", "Second to [\(id)]"])
        bench.session.unsubscribe(id)
        #expect(try bench.take().map(\.member) == ["RemoveMatch", "RemoveMatch"])
    }

    /// A repeated signal, between changes of its subscriptions.
    @Test mutating func signalsReachCurrentSubscriptions() throws {
        let signal = Self.signal("S", sender: ":1.1")
        let one = try bench.session.subscribe(DBusMatchRule(interface: "a.b"), until: 9)
        let other = try bench.session.subscribe(DBusMatchRule(member: "S"), until: 9)
        for _ in 0..<2 { try bench.receive(signal) }
        bench.session.unsubscribe(one)
        for _ in 0..<2 { try bench.receive(signal) }
        let owned = try bench.session.subscribe(DBusMatchRule(sender: "org.a"), until: 9)
        try bench.receive(signal)
        try bench.answer("GetNameOwner", [.string(":1.1")])
        try bench.receive(signal)
        #expect(
            bench.effects() == [
                "S to [\(one), \(other)]", "S to [\(one), \(other)]", "S to [\(other)]",
                "S to [\(other)]", "S to [\(other)]", "S to [\(other), \(owned)]",
            ])
    }

    /// The owner of a name is tracked until its last subscription ends.
    @Test mutating func aNameIsWatchedForItsLastSubscription() throws {
        let one = try bench.session.subscribe(DBusMatchRule(sender: "org.a"), until: 9)
        let other = try bench.session.subscribe(
            DBusMatchRule(sender: "org.a", member: "S"), until: 9)
        try bench.answer("GetNameOwner", [.string(":1.1")])
        bench.session.unsubscribe(one)
        try bench.receive(Self.signal("S", sender: ":1.1"))
        try bench.receive(Self.ownerChange("org.a", ":1.2"))
        try bench.receive(Self.signal("S", sender: ":1.2"))
        #expect(bench.effects() == ["S to [\(other)]", "S to [\(other)]"])
    }

    /// A new subscription does not get the reply to an earlier look-up.
    @Test mutating func anEarlierLookUpSetsNoOwner() throws {
        let first = try bench.session.subscribe(DBusMatchRule(sender: "org.a"), until: 9)
        try bench.take()
        bench.session.unsubscribe(first)
        let second = try bench.session.subscribe(DBusMatchRule(sender: "org.a"), until: 9)
        try bench.take()
        let asked = bench.sent.filter { $0.member == "GetNameOwner" }
        #expect(asked.count == 2)
        try bench.receive(
            DBusMessage(.reply(to: asked[0].serial), serial: 70, body: [.string(":1.1")]))
        try bench.receive(Self.signal("Old", sender: ":1.1"))
        try bench.receive(
            DBusMessage(.reply(to: asked[1].serial), serial: 71, body: [.string(":1.2")]))
        try bench.receive(Self.signal("New", sender: ":1.2"))
        #expect(bench.effects() == ["New to [\(second)]"])
    }

    /// Descriptors are sent with the first byte of their message, however few bytes go at once.
    @Test mutating func descriptorsAreSentOnce() throws {
        try bench.exportOpener()
        let ends = try DBusDescriptor.socketPair(keepingPackets: true)
        bench.session.reply(1, [.unixFD(0)], ends)
        var counts: [Int] = []
        bench.session.send { bytes, descriptors in
            counts.append(descriptors?.count ?? 0)
            return min(bytes.count, 7)
        }
        #expect(counts.count > 3)
        #expect(counts.reduce(0, +) == ends.count)
        #expect(counts.first == ends.count)
    }

    /// A signal overtakes the reply to the look-up of an owner.
    @Test mutating func theLatestOwnerCounts() throws {
        _ = try bench.session.subscribe(DBusMatchRule(sender: "org.a"), until: 9)
        try bench.take()
        try bench.receive(Self.ownerChange("org.a", ":1.2"))
        try bench.answer("GetNameOwner", [.string(":1.1")])
        // A program that forges the bus's signal is ignored.
        var forged = Self.ownerChange("org.a", ":1.3")
        forged.sender = ":1.3"
        try bench.receive(forged)
        try bench.receive(Self.signal("S", sender: ":1.2"))
        #expect(bench.effects() == ["S to [1]"])
    }

    @Test func everythingIsBounded() throws {
        var limits = DBusSession.Limits()
        limits.pendingCalls = 3
        limits.subscriptions = 2
        limits.outgoingBytes = 1000
        limits.effects = 10
        var bench = try SessionBench.open(limits)
        for _ in 0..<3 { _ = try bench.session.call(Self.ping, until: 9) }
        #expect(throws: DBusError.self) { try bench.session.call(Self.ping, until: 9) }
        for _ in 0..<3 { try bench.answer("Ping") }
        try bench.take()
        bench.session.tick(at: 9)
        _ = bench.effects()
        for _ in 0..<2 { _ = try bench.session.subscribe(DBusMatchRule(), until: 9) }
        #expect(throws: DBusError.self) {
            try bench.session.subscribe(DBusMatchRule(), until: 9)
        }
        let large = DBusSignal(
            "S", of: "a.b", at: .root, [.bytes([UInt8](repeating: 0, count: 999))])
        try bench.session.emit(large)
        let error = #expect(throws: DBusError.self) { try bench.session.emit(large) }
        #expect(error?.kind == .limitExceeded)
        try bench.take(atOnce: 10)
        try bench.session.emit(large)
        #expect(bench.session.endError == nil)
        try bench.take()
        for _ in 0..<11 { try bench.receive(Self.signal("S", sender: ":1.1")) }
        #expect(bench.session.endError?.kind == .limitExceeded)
    }

    /// After the largest serial number, small ones are skipped while their calls are pending.
    @Test mutating func serialNumbersBeginAgainAfterTheLargest() throws {
        let old = try (0..<3).map { _ in try bench.session.call(Self.ping, until: 100) }
        let next = old[2] + 1
        bench.session.lastSerial = .max - 1
        let last = try bench.session.call(Self.ping, until: 100)
        #expect(last == .max)
        let small = try (1..<next).filter { !old.contains($0) }.map { _ in
            try bench.session.call(Self.ping, until: 100)
        }
        let new = try bench.session.call(Self.ping, until: 100)
        #expect(small + old + [new] == Array(1...next), "none is 0, and none is waited for twice")
        try bench.take()
        for serial in old { try bench.receive(DBusMessage(.reply(to: serial))) }
        #expect(bench.effects() == old.map { "\($0): []" })
    }

    /// The earliest deadline is found again after a timeout or a cancellation.
    @Test mutating func theNextDeadlineFollowsATimeout() throws {
        let calls = try [300, 100, 200, 400].map { try bench.session.call(Self.ping, until: $0) }
        try bench.take()
        #expect(bench.session.deadline == 100)
        bench.session.tick(at: 100)
        #expect(bench.session.deadline == 200)
        try bench.receive(DBusMessage(.reply(to: calls[2])))
        bench.session.tick(at: 200)
        #expect(bench.session.deadline == 300)
        bench.session.tick(at: 299)
        #expect(bench.session.deadline == 300)
        bench.session.cancel(calls[0])
        bench.session.tick(at: 300)
        #expect(bench.session.deadline == 400)
        bench.session.tick(at: 400)
        #expect(bench.session.deadline == nil)
        #expect(
            bench.effects().map { $0.prefix { $0 != ":" } } == [
                "\(calls[1])", "\(calls[2])", "\(calls[0])", "\(calls[3])",
            ])
        // A call after a pause sets the deadline.
        _ = try bench.session.call(Self.ping, until: 900)
        #expect(bench.session.deadline == 900)
    }

    @Test mutating func serialNumbersAreNeverZeroNorTwice() throws {
        var serials: Set<UInt32> = []
        for _ in 0..<5000 {
            let call = try bench.session.call(Self.ping, until: 100)
            #expect(call != 0)
            #expect(serials.insert(call).inserted)
        }
        #expect(bench.session.outgoing.byteCount > 0)
        try bench.take()
        #expect(bench.session.outgoing.byteCount == 0)
    }
}
