import Foundation
import TestSupport
import Testing

@testable import HaloDBus

/// `dbus-fast`, a D-Bus library for Python, as a peer and as a second codec.
///
/// It is found in Python's path, or in the folder that `HALO_DBUS_FAST` names.
@Suite(.takesTurns) struct DBusFastTests {
    private let folder = TestFolder()

    static let isInstalled =
        (try? program("import dbus_fast", []).runAndWait().status) == 0

    private static let environment: [String: String] = {
        ProcessInfo.processInfo.environment["HALO_DBUS_FAST"].map { ["PYTHONPATH": $0] } ?? [:]
    }()

    private static func program(
        _ script: String, _ arguments: [String]
    ) throws -> OutsideProgram {
        try OutsideProgram("python3", ["-c", script] + arguments, environment: environment)
    }

    private func python(_ script: String, _ arguments: [String]) async throws -> String {
        let result = try await Self.program(script, arguments).run()
        #expect(result.status == 0, "\(result.output)")
        return result.output
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        AuthenticationLine.hexadecimal(bytes)
    }

    /// Decodes each message, and encodes it again.
    private static let again = """
        import sys
        from io import BytesIO
        from dbus_fast import Message
        from dbus_fast._private.unmarshaller import Unmarshaller
        for line in sys.stdin if len(sys.argv) < 2 else open(sys.argv[1]):
            message = Unmarshaller(BytesIO(bytes.fromhex(line.strip()))).unmarshall()
            print(message._marshall(False).hex())
        """

    /// dbus-fast writes header fields in another order, so messages are compared after decoding;
    /// bodies have the same bytes.
    @Test(.enabled(if: isInstalled, "dbus-fast is not installed for python3"))
    func bothCodecsAgree() async throws {
        var messages: [DBusMessage] = []
        for seed in 0..<300 {
            var samples = Samples(UInt64(seed))
            var message = samples.message()
            // dbus-fast drops descriptor counts of messages without descriptors.
            message.descriptorCount = 0
            // dbus-fast writes no sender, and a Python dictionary has each key once.
            message.sender = nil
            message.body.removeAll {
                let code = $0.type.code
                return code.contains("h") || code.contains("v") || $0.hasRepeatedKeys
            }
            message.flags = [.noReplyExpected]
            if (try? message.encoded()) != nil { messages.append(message) }
        }
        #expect(messages.count > 250)
        let lines = try messages.map { Self.hexadecimal(try $0.encoded()) }
        let file = try folder.write(lines.joined(separator: "\n"), to: "messages")
        let answers = try await python(Self.again, [file]).split(separator: "\n")
        #expect(answers.count == messages.count)
        for (message, answer) in zip(messages, answers) {
            let written = bytes(String(answer))
            #expect(try decode(written) == message)
            let body = try DBusMessage(.reply(to: 1), body: message.body).encoded()
            let length = Int(body[4]) | Int(body[5]) << 8
            #expect(written.suffix(length) == body.suffix(length))
        }
    }

    private static let client = """
        import asyncio, sys
        from dbus_fast.aio import MessageBus
        from dbus_fast import Message, Variant
        async def main():
            bus = await MessageBus(bus_address=sys.argv[1]).connect()
            place = ("org.example.Halo", "/org/example/one")
            xml = await bus.introspect(*place)
            thing = bus.get_proxy_object(*place, xml).get_interface("org.example.Thing")
            heard = asyncio.get_running_loop().create_future()
            thing.on_happened(lambda what: heard.done() or heard.set_result(what))
            print(await thing.call_join(["a", "b"], 7), await thing.get_level())
            await thing.set_name("New")
            print(await thing.get_name(), await asyncio.wait_for(heard, 60))
            wrong = await bus.call(Message(destination=place[0], path=place[1],
                interface="org.example.Thing", member="Nothing"))
            print(wrong.error_name)
            bus.disconnect()
        asyncio.run(main())
        """

    @Test(
        .enabled(if: isInstalled, "dbus-fast is not installed for python3"),
        arguments: TestBus.available)
    func dbusFastIsAClient(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let server = try await bus.connect()
        let object = DBusObject(
            [PeerTests.thing],
            values: [PeerTests.thing.name: ["Level": .byte(64), "Name": .string("Ring")]])
        try server.export(object, at: path("/org/example/one")) { request in
            guard case .method = request.subject else {
                request.accept()
                // By now the client is subscribed.
                try? server.emit(
                    DBusSignal(
                        "Happened", of: PeerTests.thing.name, at: request.path, [.string("it")]))
                return
            }
            let texts = request.arguments.first?.elements?.compactMap(\.string) ?? []
            request.reply([.string(texts.joined(separator: "+"))])
        }
        _ = try await server.requestName(PeerTests.name)
        let said = try await python(Self.client, [bus.address.description])
        #expect(
            said.split(separator: "\n") == [
                "a+b 64", "New it", "org.freedesktop.DBus.Error.UnknownMethod",
            ])
    }

    private static let server = """
        import asyncio, sys
        from dbus_fast.aio import MessageBus
        from dbus_fast.service import ServiceInterface, method, dbus_property, signal
        from dbus_fast import PropertyAccess
        class Thing(ServiceInterface):
            def __init__(self):
                super().__init__("org.example.Thing")
                self.ring = "Ring"
            @method()
            def Echo(self, value: "a{sv}") -> "a{sv}":
                return value
            @dbus_property()
            def Name(self) -> "s":
                return self.ring
            @Name.setter
            def Name(self, value: "s"):
                self.ring = value
                self.emit_properties_changed({"Name": value})
        async def main():
            bus = await MessageBus(bus_address=sys.argv[1]).connect()
            bus.export("/org/example/one", Thing())
            await bus.request_name("org.example.Halo")
            await bus.wait_for_disconnect()
        asyncio.run(main())
        """

    @Test(
        .enabled(if: isInstalled, "dbus-fast is not installed for python3"),
        arguments: TestBus.available)
    func dbusFastIsAServer(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let client = try await bus.connect()
        let appeared = Collector<String>()
        let owner = try await client.subscription(.ownerChange(of: PeerTests.name)) {
            appeared.append($0.values.last?.string ?? "")
        }
        let program = try RunningProgram(
            "python3", ["-c", Self.server, bus.address.description],
            environment: Self.environment)
        _ = try await appeared.wait(for: 1)
        let place = path("/org/example/one")
        let changes = Collector<[DBusValue]>()
        let rule = DBusMatchRule(
            sender: PeerTests.name, path: place, member: DBusProperties.propertiesChanged)
        let changed = try await client.subscription(rule) { changes.append($0.values) }
        let value = DBusValue.properties(["a": .bytes([1, 2]), "b": .array(.string, [])])
        let echo = DBusCall(
            "Echo", of: PeerTests.thing.name, at: place, on: PeerTests.name, [value])
        #expect(try await client.call(echo).values == [value])
        try await client.setProperty(
            "Name", of: PeerTests.thing.name, at: place, on: PeerTests.name, to: .string("New"))
        let told = try #require(try await changes.wait(for: 1).first)
        #expect(told.dropFirst().first?["Name"] == .string("New"))
        let name = try await client.property(
            "Name", of: PeerTests.thing.name, at: place, on: PeerTests.name)
        #expect(name == .string("New"))
        program.kill()
        withExtendedLifetime((owner, changed)) {}
    }
}

extension DBusValue {
    /// `true` if a dictionary has a key twice.
    fileprivate var hasRepeatedKeys: Bool {
        switch self {
        case .dictionary(_, _, let entries):
            Set(entries.map(\.key)).count < entries.count
                || entries.contains { $0.value.hasRepeatedKeys }
        case .array(_, let elements): elements.contains(where: \.hasRepeatedKeys)
        case .structure(let members): members.contains(where: \.hasRepeatedKeys)
        default: false
        }
    }
}
