import TestSupport
import Testing

@testable import HaloDBus

/// The replies of exported objects, byte for byte.
@Suite(.computes) struct ObjectAnswerTests {
    private static let thing = DBusInterface(
        "org.example.Thing",
        methods: [
            .init("Add", [.init("a", .int32), .init("", .int32)], returns: [.init("sum", .int32)]),
            .init("Do"),
        ],
        properties: [
            .init("Name", .string, .readwrite), .init("Level", .byte),
            .init("Fixed", .uint16), .init("Absent", .string),
        ],
        signals: [.init("Happened", [.init("what", .array(.string))]), .init("Over")])
    private static let other = DBusInterface(
        "org.example.\"<Other>&\"", properties: [.init("More", .byte), .init("Name", .byte)])
    static let object = DBusObject(
        [thing, other],
        values: [
            thing.name: [
                "Name": .string("ring"), "Level": .byte(3), "Fixed": .uint16(1),
            ],
            other.name: ["More": .byte(7), "Name": .byte(8)],
        ])
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let managing = "org.freedesktop.DBus.ObjectManager"

    /// `/`: none; `/org`: an object manager of all interfaces; `/org/a` and `/org/a/b`: things.
    static func tree() -> DBusObjectTree {
        var tree = DBusObjectTree()
        tree.machineID = "0f0f"
        tree.objects[path("/org")] = DBusObject(objectManager: .allInterfaces)
        tree.objects[path("/org/a")] = object
        tree.objects[path("/org/a/b")] = DBusObject(
            [other], values: object.values, objectManager: .ownInterfaces)
        return tree
    }

    /// The reply as text: values, `name: details` without the common prefix, or the interface to
    /// ask.
    private static func answer(
        _ member: String, _ interface: String?, _ place: String, _ values: [DBusValue],
        _ style: DBusErrorStyle = .standard
    ) -> String {
        var tree = tree()
        tree.errorStyle = style
        switch tree.answer(member, of: interface, at: path(place), values) {
        case .reply(let values):
            return "\(values)".replacing("HaloDBus.DBusValue", with: "")
        case .refuse(let refusal):
            let name = refusal.name.replacing("org.freedesktop.DBus.Error.", with: "")
            return "\(name): \(refusal.details)"
        case .request(.method(let types), let interface):
            return "ask \(interface.name) \(types)"
        case .request(.property(let name, let value), let interface):
            return "ask \(interface.name) \(name) \(value)"
                .replacing("HaloDBus.DBusValue", with: "")
        }
    }

    private static let numbers: [DBusValue] = [.int32(1), .int32(2)]
    private static let name = DBusValue.string(thing.name)

    /// The reply of gdbus to an unknown method.
    private static func noMethod(
        _ member: String, _ signature: String, _ interface: String,
        _ name: String = "UnknownMethod"
    ) -> String {
        "\(name): Method \"\(member)\" with signature \"\(signature)\" on interface "
            + "\"\(interface)\" doesn't exist\n"
    }

    /// Member, interface, path and arguments; the standard reply, and that of gdbus if it differs.
    @Test(
        arguments: [
            ("Add", thing.name, "/org/a", numbers, "ask org.example.Thing [i]", nil),
            ("Add", nil, "/org/a", numbers, "ask org.example.Thing [i]", nil),
            ("Do", nil, "/org/a", [], "ask org.example.Thing []", nil),
            (
                "Add", thing.name, "/no", [.byte(1)], "UnknownObject: No such object path '/no'",
                noMethod("Add", "y", "org.example.Thing", "UnknownObject")
            ),
            (
                "Add", nil, "/no", [], "UnknownObject: No such object path '/no'",
                noMethod("Add", "", "(null)", "UnknownObject")
            ),
            (
                "Add", "a.b", "/org/a", [],
                "UnknownInterface: No such interface 'a.b' on object at path /org/a",
                noMethod("Add", "", "a.b")
            ),
            (
                "Sub", nil, "/org/a", [.byte(1)],
                """
                UnknownMethod: Method "Sub" with signature "y" on interface "(none)"\
                 doesn't exist
                """,
                noMethod("Sub", "y", "(null)")
            ),
            (
                "Sub", thing.name, "/org/a", [],
                """
                UnknownMethod: Method "Sub" with signature "" on interface\
                 "org.example.Thing" doesn't exist
                """,
                noMethod("Sub", "", "org.example.Thing")
            ),
            (
                "Add", nil, "/org/a", [.int32(1), .byte(2)],
                "InvalidArgs: Type of message, '(iy)', does not match '(ii)'",
                noMethod("Add", "iy", "(null)")
            ),
            (
                "Add", nil, "/org/a", [.int32(1)],
                "InvalidArgs: Type of message, '(i)', does not match '(ii)'",
                noMethod("Add", "i", "(null)")
            ),
            (
                "Introspect", nil, "/org/a", [.byte(1)],
                "InvalidArgs: Type of message, '(y)', does not match '()'",
                noMethod("Introspect", "y", "(null)")
            ),
            (
                "Introspect", nil, "/no", [], "UnknownObject: No such object path '/no'",
                noMethod("Introspect", "", "(null)", "UnknownObject")
            ),
            ("Ping", "org.freedesktop.DBus.Peer", "/no", [], "[]", nil),
            ("Ping", nil, "/org/a", [], "[]", nil),
            ("GetMachineId", nil, "/org/a", [], "[.string(\"0f0f\")]", nil),
            ("GetMachineId", "org.freedesktop.DBus.Peer", "/", [], "[.string(\"0f0f\")]", nil),
            (
                "Pong", "org.freedesktop.DBus.Peer", "/no", [],
                """
                UnknownMethod: Method "Pong" with signature "" on interface\
                 "org.freedesktop.DBus.Peer" doesn't exist
                """, nil
            ),
            (
                "Get", properties, "/org/a", [name, .string("Level")], "[.variant(.byte(3))]", nil
            ),
            ("Get", nil, "/org/a", [name, .string("Level")], "[.variant(.byte(3))]", nil),
            (
                "Get", properties, "/org/a", [.string("a.b"), .string("x")],
                "UnknownInterface: No such interface 'a.b' on object at path /org/a",
                "InvalidArgs: No such interface 'a.b'"
            ),
            (
                "Get", properties, "/org/a", [.string(properties), .string("x")],
                """
                UnknownInterface: No such interface 'org.freedesktop.DBus.Properties' on object at\
                 path /org/a
                """, "InvalidArgs: No such interface 'org.freedesktop.DBus.Properties'"
            ),
            (
                "Get", properties, "/org/a", [name, .string("x")],
                "UnknownProperty: No such property 'x' on interface 'org.example.Thing'",
                "InvalidArgs: No such property 'x'"
            ),
            (
                "Get", properties, "/org/a", [name, .string("Absent")],
                "UnknownProperty: No such property 'Absent' on interface 'org.example.Thing'",
                "InvalidArgs: No such property 'Absent'"
            ),
            (
                "Set", properties, "/org/a", [name, .string("x"), .variant(.byte(1))],
                "UnknownProperty: No such property 'x' on interface 'org.example.Thing'",
                "UnknownProperty: No such property 'x'"
            ),
            (
                "Set", properties, "/org/a", [name, .string("Level"), .variant(.byte(1))],
                "PropertyReadOnly: Property 'Level' is not writable", nil
            ),
            (
                "Set", properties, "/org/a", [name, .string("Name"), .variant(.byte(1))],
                "InvalidArgs: Property 'Name' is of type 's'",
                "InvalidSignature: Invalid signature for 'Name'"
            ),
            (
                "Set", properties, "/org/a", [name, .string("Name"), .variant(.string("n"))],
                "ask org.example.Thing Name string(\"n\")", nil
            ),
            (
                "GetAll", properties, "/org/a", [.string("a.b")],
                "UnknownInterface: No such interface 'a.b' on object at path /org/a",
                "InvalidArgs: No such interface 'a.b'"
            ),
            (
                "GetManagedObjects", managing, "/org/a", [],
                """
                UnknownInterface: No such interface 'org.freedesktop.DBus.ObjectManager' on object\
                 at path /org/a
                """,
                noMethod("GetManagedObjects", "", "org.freedesktop.DBus.ObjectManager")
            ),
        ] as [(String, String?, String, [DBusValue], String, String?)])
    func callsGetTheirReply(
        _ member: String, _ interface: String?, _ place: String, _ values: [DBusValue],
        _ plain: String, _ gdbus: String?
    ) {
        #expect(Self.answer(member, interface, place, values) == plain)
        #expect(Self.answer(member, interface, place, values, .gdbus) == gdbus ?? plain)
    }

    @Test func aComputerMayHaveNoIdentifier() {
        var tree = Self.tree()
        tree.machineID = nil
        guard
            case .refuse(let refusal) = tree.answer(
                "GetMachineId", of: "org.freedesktop.DBus.Peer", at: .root, [])
        else {
            Issue.record("no refusal")
            return
        }
        #expect(refusal == .failed("This machine has no id"))
    }

    /// All readable properties, of one interface or of all; of two with one name the first one.
    @Test func getAllReadsAllProperties() {
        let own: [String: DBusValue] = [
            "Name": .string("ring"), "Level": .byte(3), "Fixed": .uint16(1),
        ]
        let cases: [(String, [String: DBusValue])] = [
            (Self.thing.name, own), (Self.other.name, ["More": .byte(7), "Name": .byte(8)]),
            ("", own.merging(["More": .byte(7)]) { first, _ in first }), (Self.properties, [:]),
            ("org.freedesktop.DBus.Peer", [:]), ("org.freedesktop.DBus.Introspectable", [:]),
        ]
        for (name, values) in cases {
            let expected = "\([DBusValue.properties(values)])"
            #expect(
                Self.answer("GetAll", Self.properties, "/org/a", [.string(name)])
                    == expected.replacing("HaloDBus.DBusValue", with: ""), "\(name)")
        }
        // Only an object manager has that interface.
        #expect(
            Self.answer("GetAll", Self.properties, "/org/a/b", [.string(Self.managing)])
                == Self.answer("GetAll", Self.properties, "/org/a", [.string(Self.properties)]))
        #expect(
            Self.answer("GetAll", Self.properties, "/org/a", [.string(Self.managing)])
                .hasPrefix("UnknownInterface"))
    }

    /// An object's own interface shadows a standard one.
    @Test func anObjectMayHaveAStandardInterfaceOfItsOwn() {
        let standard = [
            DBusInterface(Self.properties, methods: [.init("Get")]),
            DBusInterface(Self.managing, methods: [.init("GetManagedObjects")]),
            DBusInterface("org.freedesktop.DBus.Peer", methods: [.init("Ping")]),
        ]
        var tree = DBusObjectTree()
        tree.objects[.root] = DBusObject(standard, objectManager: .ownInterfaces)
        for (member, interface) in [
            ("Get", Self.properties), ("GetManagedObjects", Self.managing), ("Ping", nil),
        ] {
            guard case .request = tree.answer(member, of: interface, at: .root, []) else {
                Issue.record("\(member) was not asked of the object")
                return
            }
        }
    }

    /// The objects that an object manager lists, in BlueZ's form and in the usual one.
    @Test func managersListEverythingBelow() throws {
        func entry(_ name: String, _ values: [String: DBusValue]) -> DBusEntry {
            DBusEntry(.string(name), .properties(values))
        }
        let other = entry(Self.other.name, ["More": .byte(7), "Name": .byte(8)])
        let thing = entry(
            Self.thing.name,
            ["Name": .string("ring"), "Level": .byte(3), "Fixed": .uint16(1)])
        let first = entry("org.freedesktop.DBus.Introspectable", [:])
        let last = entry("org.freedesktop.DBus.Properties", [:])
        let cases: [(String, [(String, [DBusEntry])])] = [
            (
                "/org",
                [("/org/a", [first, thing, other, last]), ("/org/a/b", [first, other, last])]
            ),
            ("/org/a/b", []),
        ]
        for (place, objects) in cases {
            guard
                case .reply(let values) = Self.tree().answer(
                    "GetManagedObjects", of: Self.managing, at: path(place), [])
            else {
                Issue.record("\(place) tells nothing")
                continue
            }
            let entries = try #require(values.first?.entries)
            #expect(values.count == 1)
            #expect(values.first?.type.code == "a{oa{sa{sv}}}")
            #expect(entries.map(\.key) == objects.map { .objectPath(path($0.0)) })
            #expect(entries.map(\.value.entries) == objects.map { $0.1 })
        }
    }

    /// All object managers above signal an object's export, its removal, and single interfaces.
    @Test func everyManagerAboveSignals() throws {
        var bench = try SessionBench.open()
        try bench.session.export(DBusObject(objectManager: .allInterfaces), at: .root)
        try bench.session.export(DBusObject(objectManager: .ownInterfaces), at: path("/org"))
        try bench.session.export(DBusObject(), at: path("/org/plain"))
        try bench.session.export(DBusObject(objectManager: .ownInterfaces), at: path("/other"))
        try bench.take()
        let place = path("/org/plain/a")
        try bench.session.export(DBusObject([Self.other], values: Self.object.values), at: place)
        let own = DBusEntry(
            .string(Self.other.name), .properties(["More": .byte(7), "Name": .byte(8)]))
        let first = DBusEntry(.string("org.freedesktop.DBus.Introspectable"), .properties([:]))
        let last = DBusEntry(.string("org.freedesktop.DBus.Properties"), .properties([:]))
        func interfaces(_ entries: [DBusEntry]) -> DBusValue {
            .dictionary(
                key: .string, value: .dictionary(key: .string, value: .variant), entries)
        }
        func told(_ member: String, _ root: DBusValue, _ org: DBusValue) throws {
            let sent = try bench.take()
            #expect(sent.map(\.member) == [member, member])
            #expect(sent.map(\.path) == [.root, path("/org")])
            #expect(sent.map(\.interface) == [Self.managing, Self.managing])
            #expect(
                sent.map(\.body) == [[.objectPath(place), root], [.objectPath(place), org]])
        }
        try told("InterfacesAdded", interfaces([first, own, last]), interfaces([own]))
        // An added interface, with its values.
        try bench.session.add(Self.thing, ["Name": .string("n")], to: place)
        let more = interfaces([
            DBusEntry(.string(Self.thing.name), .properties(["Name": .string("n")]))
        ])
        try told("InterfacesAdded", more, more)
        let taken = bench.session.objects.objects[place]
        #expect(taken?.interfaces == [Self.other, Self.thing])
        #expect(taken?.values[Self.thing.name] == ["Name": .string("n")])
        let isRemoved = try bench.session.remove(Self.thing.name, from: place)
        #expect(isRemoved)
        let names = DBusValue.strings([Self.thing.name])
        try told("InterfacesRemoved", names, names)
        #expect(bench.session.objects.objects[place]?.interfaces == [Self.other])
        #expect(bench.session.objects.objects[place]?.values[Self.thing.name] == nil)
        for (name, place) in [(Self.thing.name, place), (Self.other.name, path("/nobody"))] {
            let isRemoved = try bench.session.remove(name, from: place)
            #expect(!isRemoved)
        }
        #expect(try bench.take() == [])
        let isGone = bench.session.unexport(place)
        #expect(isGone)
        try told(
            "InterfacesRemoved",
            .strings([
                "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.Introspectable",
                Self.other.name,
            ]), .strings([Self.other.name]))
    }

    @Test func anInterfaceIsAddedOnce() throws {
        var bench = try SessionBench.open()
        let place = path("/org/plain/a")
        try bench.session.export(DBusObject([Self.thing]), at: place)
        #expect(
            throws: DBusError(
                .unreachable, details: "no room for org.example.Thing at /org/plain/a")
        ) { try bench.session.add(Self.thing, [:], to: place) }
        #expect(throws: DBusError.self) {
            try bench.session.add(Self.thing, [:], to: path("/nobody"))
        }
    }

    /// After the end nothing is signalled, but the object is removed.
    @Test func anObjectIsRemovedAfterTheEnd() throws {
        var bench = try SessionBench.open()
        try bench.session.export(DBusObject(), at: path("/org/plain"))
        bench.session.end(DBusError(.timedOut))
        let isGone = bench.session.unexport(path("/org/plain"))
        #expect(isGone)
        #expect(bench.session.objects.objects[path("/org/plain")] == nil)
        let isGoneAgain = bench.session.unexport(path("/org/plain"))
        #expect(!isGoneAgain)
    }

    /// The signal of a change, and a change without a signal.
    @Test func aChangeIsSignalledUnlessSuppressed() throws {
        var bench = try SessionBench.open()
        let place = path("/a")
        try bench.session.export(Self.object, at: place)
        func values() -> [String: DBusValue]? {
            bench.session.objects.objects[place]?.values[Self.thing.name]
        }
        try bench.session.set(
            ["Name": .string("x"), "Fixed": .uint16(2)], of: Self.thing.name, at: place,
            emitsChange: false)
        #expect(try bench.take() == [])
        #expect(values()?["Name"] == .string("x") && values()?["Fixed"] == .uint16(2))
        try bench.session.set(
            ["Name": nil, "Level": .byte(4)], of: Self.thing.name, at: place)
        let told = try bench.take()
        #expect(told.map(\.member) == ["PropertiesChanged"])
        #expect(told.map(\.path) == [place])
        #expect(told.map(\.interface) == [Self.properties])
        #expect(
            told.map(\.body) == [
                [
                    .string(Self.thing.name), .properties(["Level": .byte(4)]), .strings(["Name"]),
                ]
            ])
        #expect(values() == ["Level": .byte(4), "Fixed": .uint16(2)])
        #expect(
            throws: DBusError(
                .unreachable, details: "no such property: org.example.Thing.None")
        ) { try bench.session.set(["None": nil], of: Self.thing.name, at: place) }
        #expect(
            throws: DBusError(.unreachable, details: "no such interface at /a: a.b")
        ) { try bench.session.set([:], of: "a.b", at: place) }
        #expect(
            throws: DBusError(.unreachable, details: "there is an object at /a already")
        ) { try bench.session.export(Self.object, at: place) }
    }

    /// `accept()` replies and then signals; `acknowledge()` only replies.
    @Test func aWriteIsAnsweredThenSignalled() throws {
        for isAccepted in [true, false] {
            var bench = try SessionBench.open()
            try bench.session.export(Self.object, at: path("/a"))
            var set = DBusMessage(
                .call(path: path("/a"), interface: Self.properties, member: "Set"), serial: 5,
                body: [Self.name, .string("Name"), .variant(.string("n"))])
            set.sender = ":1.3"
            try bench.receive(set)
            guard case .request(let request)? = bench.session.drainEffects().first else {
                throw TestBus.Missing()
            }
            #expect(request.path == path("/a") && request.interface == Self.thing.name)
            #expect(request.member == "Set" && request.arguments == set.body)
            #expect(request.sender == ":1.3" && request.serial == 5 && request.wantsReply)
            if isAccepted {
                bench.session.reply(request.id, [])
            } else {
                bench.session.acknowledge(request.id)
                bench.session.acknowledge(request.id)
            }
            let sent = try bench.take()
            #expect(sent.map(\.member) == (isAccepted ? [nil, "PropertiesChanged"] : [nil]))
            #expect(sent.first?.kind == .reply(to: 5))
            #expect(
                bench.session.objects.objects[path("/a")]?.values[Self.thing.name]?["Name"]
                    == .string(isAccepted ? "n" : "ring"))
            #expect(bench.session.objects.requests.isEmpty)
        }
    }
}
