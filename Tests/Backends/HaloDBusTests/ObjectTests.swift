import TestSupport
import Testing

@testable import HaloDBus

/// Objects that a session exports, called by handmade messages.
@Suite(.computes) struct ObjectTests {
    private static let thing = DBusInterface(
        "org.example.Thing",
        methods: [
            .init("Add", [.init("a", .int32), .init("b", .int32)], returns: [.init("sum", .int32)])
        ],
        properties: [
            .init("Name", .string, .readwrite), .init("Level", .byte),
            .init("Fixed", .uint16), .init("Absent", .string),
        ],
        signals: [.init("Happened", [.init("what", .string)])])
    private static let object = DBusObject(
        [thing],
        values: [
            thing.name: [
                "Name": .string("a<b"), "Level": .byte(3), "Fixed": .uint16(1),
            ]
        ])

    private static func bench() throws -> SessionBench {
        var bench = try SessionBench.open()
        try bench.session.export(
            DBusObject([], objectManager: .ownInterfaces), at: path("/org"))
        try bench.session.export(Self.object, at: path("/org/example/one"))
        try bench.take()
        return bench
    }

    private static func call(
        _ member: String, _ interface: String?, _ place: String = "/org/example/one",
        _ values: DBusValue...
    ) -> DBusMessage {
        var call = DBusMessage(
            .call(path: path(place), interface: interface, member: member), serial: 55,
            body: values)
        call.sender = ":1.3"
        return call
    }

    private static let properties = "org.freedesktop.DBus.Properties"

    /// The immediate reply: a value, or the last word of the error's name.
    private func answer(_ call: DBusMessage) throws -> String {
        var bench = try Self.bench()
        try bench.receive(call)
        let answers = try bench.take()
        #expect(answers.count == 1)
        #expect(answers.first?.destination == ":1.3")
        switch answers.first?.kind {
        case .reply(55):
            return answers.first?.body.first.map { "\($0)" }?.replacing(
                "HaloDBus.DBusValue", with: "") ?? ""
        case .error(let name, 55): return String(name.split(separator: ".").last ?? "")
        default: return "nothing"
        }
    }

    /// The rows of ``ObjectAnswerTests`` are sent as messages.
    @Test func callsAreAnsweredWithTheirSerial() throws {
        let place = "/org/example/one"
        let cases: [(DBusMessage, String)] = [
            (Self.call("Add", Self.thing.name, "/nowhere"), "UnknownObject"),
            (
                Self.call(
                    "Get", Self.properties, place, .string(Self.thing.name), .string("Absent")),
                "UnknownProperty"
            ),
            (
                Self.call(
                    "Get", Self.properties, place, .string(Self.thing.name), .string("Level")),
                "variant(.byte(3))"
            ),
            (Self.call("Ping", "org.freedesktop.DBus.Peer", "/nowhere"), ""),
        ]
        for (call, expected) in cases {
            #expect(try answer(call) == expected, "\(call.member ?? "") \(call.body)")
        }
    }

    @Test func writesAskTheHandler() throws {
        var bench = try Self.bench()
        let set = Self.call(
            "Set", Self.properties, "/org/example/one", .string(Self.thing.name), .string("Name"),
            .variant(.string("new")))
        for isAccepted in [false, true] {
            try bench.receive(set)
            guard case .request(let request)? = bench.session.drainEffects().last else {
                throw TestBus.Missing()
            }
            #expect(request.subject == .property("Name", .string("new")))
            if isAccepted {
                bench.session.reply(request.id, [])
                #expect(try bench.take().map(\.member) == [nil, "PropertiesChanged"])
            } else {
                bench.session.refuse(request.id, .accessDenied("no"))
                #expect(try bench.take().count == 1)
            }
            bench.session.reply(request.id, [])
            #expect(try bench.take().isEmpty, "only the first answer counts")
        }
    }

    @Test func changesAreSignalled() throws {
        var bench = try Self.bench()
        let place = path("/org/example/one")
        try bench.session.set(
            ["Name": .string("x"), "Level": .byte(9), "Absent": nil], of: Self.thing.name,
            at: place)
        let told = try bench.take()
        #expect(
            told.map(\.body) == [
                [
                    .string(Self.thing.name),
                    .properties(["Name": .string("x"), "Level": .byte(9)]), .strings(["Absent"]),
                ]
            ])
        #expect(throws: DBusError.self) {
            try bench.session.set(["Name": .byte(1)], of: Self.thing.name, at: place)
        }
        #expect(throws: DBusError.self) {
            try bench.session.set(["None": .byte(1)], of: Self.thing.name, at: place)
        }
        #expect(throws: DBusError.self) { try bench.session.export(Self.object, at: place) }
    }

    @Test func resultsHaveToBeOfTheirTypes() throws {
        var bench = try Self.bench()
        for values in [[DBusValue.int32(3)], [.byte(3)], []] {
            try bench.receive(
                Self.call("Add", nil, "/org/example/one", .int32(1), .int32(2)))
            guard case .request(let request)? = bench.session.drainEffects().last else {
                throw TestBus.Missing()
            }
            bench.session.reply(request.id, values)
            let isRight = values == [.int32(3)]
            #expect(try bench.take().first?.type == (isRight ? .reply : .error))
        }
    }

    @Test func aCallWithoutReplyGetsNone() throws {
        var bench = try Self.bench()
        var call = Self.call("Sub", Self.thing.name)
        call.flags = .noReplyExpected
        try bench.receive(call)
        #expect(try bench.take().isEmpty)
    }
}
