#if os(Linux)
import Foundation
import BlueZVocabulary
import Testing

@testable import HaloDBus

/// Objects that a session exports, called by handmade messages.
@Suite struct ObjectTests {
    private static let thing = DBusInterface(
        "org.example.Thing",
        methods: [
            .init("Add", [.init("a", .int32), .init("b", .int32)], returns: [.init("sum", .int32)])
        ],
        properties: [
            .init("Name", .string, .readwrite), .init("Level", .byte),
            .init("Secret", .string, .write), .init("Fixed", .uint16),
            .init("Absent", .string),
        ],
        signals: [.init("Happened", [.init("what", .string)])])
    private static let object = DBusObject(
        [thing],
        values: [
            thing.name: [
                "Name": .string("a<b"), "Level": .byte(3), "Secret": .string("s"),
                "Fixed": .uint16(1),
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

    @Test func missingObjectsInterfacesAndMethodsAreErrors() throws {
        let cases: [(DBusMessage, String)] = [
            (Self.call("Add", Self.thing.name, "/nowhere"), "UnknownObject"),
            (Self.call("Add", Self.thing.name, "/org/example"), "UnknownObject"),
            (Self.call("Add", "org.example.Other"), "UnknownInterface"),
            (Self.call("Sub", Self.thing.name), "UnknownMethod"),
            (Self.call("Sub", nil), "UnknownMethod"),
            (Self.call("Add", Self.thing.name), "InvalidArgs"),
            (Self.call("Add", nil, "/org/example/one", .int32(1), .byte(2)), "InvalidArgs"),
            (
                Self.call("Get", Self.properties, "/org/example/one", .string("a.b"), .string("x")),
                "UnknownInterface"
            ),
            (
                Self.call(
                    "Get", Self.properties, "/org/example/one", .string(Self.thing.name),
                    .string("x")), "UnknownProperty"
            ),
            (
                Self.call(
                    "Get", Self.properties, "/org/example/one", .string(Self.thing.name),
                    .string("Absent")), "UnknownProperty"
            ),
            (
                Self.call(
                    "Get", Self.properties, "/org/example/one", .string(Self.thing.name),
                    .string("Secret")), "AccessDenied"
            ),
            (
                Self.call(
                    "Set", Self.properties, "/org/example/one", .string(Self.thing.name),
                    .string("Level"), .variant(.byte(1))), "PropertyReadOnly"
            ),
            (
                Self.call(
                    "Set", Self.properties, "/org/example/one", .string(Self.thing.name),
                    .string("Name"), .variant(.byte(1))), "InvalidArgs"
            ),
            (Self.call("Ping", "org.freedesktop.DBus.Peer", "/nowhere"), ""),
            (Self.call("Pong", "org.freedesktop.DBus.Peer", "/nowhere"), "UnknownMethod"),
            (
                Self.call("GetManagedObjects", "org.freedesktop.DBus.ObjectManager"),
                "UnknownInterface"
            ),
        ]
        for (call, expected) in cases {
            #expect(try answer(call) == expected, "\(call.member ?? "") \(call.body)")
        }
    }

    /// The texts that were seen from BlueZ's daemon.
    @Test func errorsHaveTheChosenStyle() throws {
        let text =
            "Method \"Add\" with signature \"y\" on interface \"org.example.Thing\""
            + " doesn't exist\n"
        let properties = [DBusValue.string(Self.thing.name), .string("x")]
        let cases: [(DBusMessage, String, String)] = [
            (Self.call("Add", Self.thing.name, "/nowhere", .byte(1)), "UnknownObject", text),
            (
                Self.call("Add", Self.thing.name, "/org/example/one", .byte(1)), "UnknownMethod",
                text
            ),
            (
                Self.call("Get", Self.properties, "/org/example/one", properties[0], properties[1]),
                "InvalidArgs", "No such property 'x'"
            ),
            (
                Self.call(
                    "Set", Self.properties, "/org/example/one", properties[0], properties[1],
                    .variant(.byte(1))), "UnknownProperty", "No such property 'x'"
            ),
            (
                Self.call(
                    "Set", Self.properties, "/org/example/one", properties[0], .string("Name"),
                    .variant(.byte(1))), "InvalidSignature", "Invalid signature for 'Name'"
            ),
        ]
        for (call, name, details) in cases {
            var bench = try Self.bench()
            bench.session.objects.errorStyle = GDBusErrors()
            try bench.receive(call)
            let answer = try #require(try bench.take().first)
            #expect(answer.kind == .error(name: "org.freedesktop.DBus.Error.\(name)", to: 55))
            #expect(answer.body == [.string(details)])
        }
    }

    @Test func propertiesAreRead() throws {
        let get = Self.call(
            "Get", Self.properties, "/org/example/one", .string(Self.thing.name), .string("Level"))
        #expect(try answer(get) == "variant(.byte(3))")
        var bench = try Self.bench()
        try bench.receive(
            Self.call("GetAll", Self.properties, "/org/example/one", .string(Self.thing.name)))
        let all = try #require(try bench.take().first?.body.first)
        #expect(all.entries?.map(\.key) == [.string("Fixed"), .string("Level"), .string("Name")])
        #expect(all["Name"] == .string("a<b"))
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

    @Test func managersListObjects() throws {
        var bench = try Self.bench()
        try bench.receive(
            Self.call("GetManagedObjects", "org.freedesktop.DBus.ObjectManager", "/org"))
        let objects = try #require(try bench.take().first?.body.first?.entries)
        #expect(objects.map(\.key) == [.objectPath(path("/org/example/one"))])
        #expect(objects.first?.value[Self.thing.name]?["Level"] == .byte(3))
        try bench.session.export(Self.object, at: path("/other"))
        #expect(try bench.take().isEmpty)
        try bench.session.export(Self.object, at: path("/org/two"))
        #expect(try bench.take().map(\.member) == ["InterfacesAdded"])
        let wasThere = bench.session.unexport(path("/org/two"))
        #expect(wasThere)
        let removed = try bench.take()
        #expect(removed.map(\.member) == ["InterfacesRemoved"])
        #expect(
            removed.first?.body == [.objectPath(path("/org/two")), .strings([Self.thing.name])])
        let isStillThere = bench.session.unexport(path("/org/two"))
        #expect(!isStillThere)
    }

    @Test func theDescriptionIsXML() throws {
        for (place, words) in [
            ("/org/example/one", ["org.example.Thing", "Happened", "readwrite"]),
            ("/org/example", ["<node name=\"one\"/>"]), ("/", ["<node name=\"org\"/>"]),
        ] {
            var bench = try Self.bench()
            try bench.receive(Self.call("Introspect", nil, place))
            let text = try #require(try bench.take().first?.body.first?.string)
            for word in words { #expect(text.contains(word), "\(place): \(word)") }
            let opened = text.components(separatedBy: "<interface").count
            #expect(opened == text.components(separatedBy: "</interface>").count)
        }
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
#endif
