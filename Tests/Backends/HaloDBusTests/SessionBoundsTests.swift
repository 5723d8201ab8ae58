import TestSupport
import Testing

@testable import HaloDBus

/// The maxima of a session, up to the last element that is accepted.
@Suite(.computes) struct SessionBoundsTests {
    private static let thing = DBusInterface("a.b", methods: [.init("Do")])
    private static let ping = DBusCall("Ping", of: "a.b", at: .root, on: ":1.2")

    private static func bench(_ change: (inout DBusSession.Limits) -> Void) throws -> SessionBench {
        var limits = DBusSession.Limits()
        change(&limits)
        return try SessionBench.open(limits)
    }

    /// A signal with 16 bytes of header, 64 of fields, and so many of values.
    private static let signal = DBusSignal("S", of: "a.b", at: .root)
    private static let length = 16 + 16 + 16 + 16

    private static func asked(_ member: String, _ serial: UInt32) -> DBusMessage {
        var message = DBusMessage(
            .call(path: .root, interface: "a.b", member: member), serial: serial)
        message.sender = ":1.3"
        return message
    }

    @Test func theDefaultLimitsAreThese() {
        let limits = DBusSession.Limits()
        #expect(limits.pendingCalls == 16384)
        #expect(limits.subscriptions == 4096)
        #expect(limits.requests == 4096)
        #expect(limits.effects == 65536)
        #expect(limits.outgoingBytes == 67_108_864)
        #expect(limits.answerBytes == 67_108_864)
        #expect(limits.bytesWhileReceiving == 67_108_864)
    }

    /// Unsent bytes: one message more is accepted when the limit is reached.
    @Test func oneMessageBeyondTheLimitIsAccepted() throws {
        var bench = try Self.bench { $0.outgoingBytes = 2 * Self.length }
        for count in 1...3 {
            try bench.session.emit(Self.signal)
            #expect(bench.session.outgoing.byteCount == count * Self.length)
        }
        let error = DBusError(.limitExceeded, details: "bytes that are not sent")
        #expect(throws: error) { try bench.session.emit(Self.signal) }
        #expect(throws: error) { try bench.session.call(Self.ping, until: 9) }
        #expect(throws: error) { try bench.session.subscribe(DBusMatchRule(), until: 9) }
        #expect(throws: error) { try bench.session.export(DBusObject(), at: .root) }
        #expect(throws: error) { try bench.session.set([:], of: "a.b", at: .root) }
        #expect(throws: error) { try bench.session.add(Self.thing, [:], to: .root) }
        #expect(bench.session.endError == nil)
        #expect(try bench.take().count == 3)
        #expect(bench.session.outgoing.byteCount == 0)
        try bench.session.emit(Self.signal)
        #expect(try bench.take(atOnce: 7).count == 1)
    }

    private static let answer = DBusMessage(
        .reply(to: 1), serial: 1, destination: ":1.3", flags: .noReplyExpected)

    private static func ping(_ serial: UInt32) -> DBusMessage {
        var ping = DBusMessage(
            .call(path: .root, interface: "org.freedesktop.DBus.Peer", member: "Ping"),
            serial: serial)
        ping.sender = ":1.3"
        return ping
    }

    /// Calls wait for the room of their replies, also those that arrived together; none is lost.
    @Test(arguments: [false, true]) func callsWaitWhileRepliesAreUnsent(together: Bool) throws {
        let length = try Self.answer.encoded().count
        var bench = try Self.bench { $0.outgoingBytes = 2 * length }
        let pings = try (UInt32(1)...8).map { try Self.ping($0).encoded() }
        for bytes in together ? [pings.flatMap(\.self)] : pings { bench.receive(bytes) }
        #expect(bench.session.outgoing.byteCount == 3 * length)
        #expect(!bench.session.canReceive)
        var replies: [DBusMessage.Kind] = []
        for count in [3, 3, 2, 0] {
            let messages = try bench.take()
            #expect(messages.count == count)
            replies += messages.map(\.kind)
            #expect(bench.session.canReceive)
            bench.receive([])
        }
        #expect(replies == (1...8).map { .reply(to: $0) })
        #expect(bench.session.endError == nil)
    }

    /// Calls wait while replies are unsent, though more bytes have room: a caller that asks without
    /// end does not put off the replies to others.
    @Test func callsWaitForTheRepliesToOthers() throws {
        let length = try Self.answer.encoded().count
        var bench = try Self.bench { $0.bytesWhileReceiving = 2 * length }
        try bench.session.export(DBusObject([Self.thing]), at: .root)
        for serial in UInt32(1)...3 {
            #expect(bench.session.canReceive)
            try bench.receive(Self.asked("Do", serial))
            bench.session.reply(UInt64(serial), [])
        }
        #expect(!bench.session.canReceive)
        try bench.session.emit(Self.signal)
        try bench.take()
        #expect(bench.session.canReceive)
    }

    /// Unsent replies to requests have room beyond that; then the connection ends.
    @Test func repliesHaveRoomOfTheirOwn() throws {
        let length = try Self.answer.encoded().count
        var bench = try Self.bench {
            $0.outgoingBytes = 5 * length
            $0.answerBytes = 2 * length
        }
        try bench.session.export(DBusObject([Self.thing]), at: .root)
        for serial in UInt32(1)...8 { try bench.receive(Self.asked("Do", serial)) }
        for id in UInt64(1)...7 { bench.session.reply(id, []) }
        #expect(bench.session.endError == nil)
        #expect(bench.session.outgoing.byteCount == 7 * length)
        bench.session.reply(8, [])
        #expect(
            bench.session.endError == DBusError(.limitExceeded, details: "bytes that are not sent"))
        #expect(bench.session.outgoing.byteCount == 0 && !bench.session.hasOutput)
    }

    /// The replies of the authentication and to `Hello` are received, whatever is unsent.
    @Test func muchOutputDoesNotHinderTheStart() throws {
        var bench = SessionBench(DBusSession.Limits(outgoingBytes: 1))
        #expect(throws: DBusError.self) { try bench.session.emit(Self.signal) }
        #expect(bench.session.canReceive)
        try bench.letIn()
        #expect(!bench.session.canReceive)
        try bench.take()
        #expect(bench.session.canReceive)
        try bench.answer("Hello", [.string(":1.9")])
        #expect(bench.session.uniqueName == ":1.9")
    }

    /// Unanswered requests; each reply makes room.
    @Test func requestsAreBounded() throws {
        var bench = try Self.bench { $0.requests = 2 }
        try bench.session.export(DBusObject([Self.thing]), at: .root)
        for serial in UInt32(1)...3 { try bench.receive(Self.asked("Do", serial)) }
        #expect(bench.effects() == ["asked Do", "asked Do"])
        let refusal = DBusMessage.Kind.error(
            name: "org.freedesktop.DBus.Error.LimitsExceeded", to: 3)
        #expect(try bench.take().map(\.kind) == [refusal])
        bench.session.reply(1, [])
        #expect(try bench.take().map(\.kind) == [.reply(to: 1)])
        try bench.receive(Self.asked("Do", 4))
        try bench.receive(Self.asked("Do", 5))
        #expect(bench.effects() == ["asked Do"])
        #expect(try bench.take().count == 1)
    }

    /// Undrained signals: one more than allowed ends the connection.
    @Test func effectsAreBounded() throws {
        var message = DBusMessage(.signal(path: .root, interface: "a.b", member: "S"))
        message.sender = ":1.1"
        for isOfAProperty in [false, true] {
            var bench = try Self.bench { $0.effects = 10 }
            let id = try bench.session.subscribe(DBusMatchRule(), until: 9)
            try bench.answer("AddMatch")
            _ = bench.effects()
            if isOfAProperty {
                message.kind = .signal(
                    path: .root, interface: "org.freedesktop.DBus.Properties",
                    member: "PropertiesChanged")
            }
            for number in UInt8(0)..<10 {
                if isOfAProperty {
                    message.body = [
                        .string("a.b"), .properties(["Value": .bytes([number])]), .strings([]),
                    ]
                }
                try bench.receive(message)
            }
            #expect(bench.session.endError == nil)
            try bench.receive(message)
            #expect(bench.session.endError?.kind == .limitExceeded)
            #expect(bench.session.endError?.details == "signals and calls that are not received")
            let effects = bench.effects()
            #expect(effects.count == 11)
            #expect(effects.prefix(10).allSatisfy { $0.hasSuffix(" to [\(id)]") })
            #expect(effects.last?.hasPrefix("ended") == true)
        }
    }

    /// A signal without a subscription takes no room.
    @Test func unsubscribedSignalsTakeNoRoom() throws {
        var bench = try Self.bench { $0.effects = 2 }
        _ = try bench.session.subscribe(DBusMatchRule(member: "Other"), until: 9)
        try bench.answer("AddMatch")
        _ = bench.effects()
        var message = DBusMessage(
            .signal(
                path: .root, interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged"),
            body: [.string("a.b"), .properties(["Value": .bytes([1])]), .strings([])])
        message.sender = ":1.1"
        for _ in 0..<9 { try bench.receive(message) }
        #expect(bench.effects() == [])
        #expect(bench.session.endError == nil)
    }

    /// Descriptors of incomplete messages.
    @Test func receivedDescriptorsAreBounded() throws {
        for (count, isAllowed) in [(1024, true), (1025, false)] {
            var stream = DBusMessageStream()
            // The system never assigns numbers as high as these: closing them does nothing.
            let numbers = (0..<count).map { Int32(1 << 30 + $0) }
            let start: [UInt8] = [0x6C]
            stream.append(start.span, DBusDescriptors(owning: numbers))
            if isAllowed {
                #expect(try stream.next() == nil)
            } else {
                #expect(throws: DBusWireError(.excess, at: 0)) { try stream.next() == nil }
            }
        }
    }
}
