import Foundation
import TestSupport
import Testing

@testable import HaloDBus

/// `busctl` and `gdbus` as clients, on each bus.
@Suite(.takesTurns) struct PeerTests {
    static let name = "org.example.Halo"
    static let thing = DBusInterface(
        "org.example.Thing",
        methods: [
            .init(
                "Join", [.init("texts", .array(.string)), .init("number", .uint32)],
                returns: [.init("text", .string)])
        ],
        properties: [
            .init("Level", .byte), .init("Name", .string, .readwrite),
        ],
        signals: [.init("Happened", [.init("what", .string)])])

    /// A service, until it is released.
    private func serve(_ bus: RunningBus) async throws -> DBusConnection {
        let server = try await bus.connect()
        let object = DBusObject(
            [Self.thing],
            values: [Self.thing.name: ["Level": .byte(64), "Name": .string("Ring")]])
        try server.export(DBusObject(objectManager: .ownInterfaces), at: .root)
        try server.export(object, at: path("/org/example/one")) { request in
            switch request.subject {
            case .property: request.accept()
            case .method:
                let texts = request.arguments.first?.elements?.compactMap(\.string) ?? []
                let number = request.arguments.last?.integer ?? 0
                request.reply([.string(texts.joined(separator: "-") + " \(number)")])
            }
        }
        #expect(try await server.requestName(Self.name) == .owner)
        return server
    }

    private func run(_ name: String, _ arguments: String) async throws -> String {
        let words = arguments.split(separator: " ").map(String.init)
        let result = try await OutsideProgram(name, words).run()
        #expect(result.status == 0, "\(name) \(arguments): \(result.output)")
        return result.output
    }

    private static let place = "\(name) /org/example/one \(thing.name)"

    @Test(
        .enabled(if: OutsideProgram.path("busctl") != nil, "busctl is not installed"),
        arguments: TestBus.available)
    func busctlCalls(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let server = try await serve(bus)
        let busctl = "--address=\(bus.address) --no-pager"
        let call = try await run("busctl", "\(busctl) call \(Self.place) Join asu 2 a b 7")
        #expect(call == "s \"a-b 7\"\n")
        let level = try await run("busctl", "\(busctl) get-property \(Self.place) Level")
        #expect(level == "y 64\n")
        _ = try await run("busctl", "\(busctl) set-property \(Self.place) Name s New")
        let object = server.hub.read { $0.session.objects.objects[path("/org/example/one")] }
        #expect(object?.values[Self.thing.name]?["Name"] == .string("New"))
        let tree = try await run("busctl", "\(busctl) tree --list \(Self.name)")
        #expect(tree.contains("/org/example/one"))
        let described = try await run(
            "busctl", "\(busctl) introspect \(Self.name) /org/example/one")
        for word in ["Join", "asu", "Level", "64", "emits-change", "Happened"] {
            #expect(described.contains(word), "\(described)")
        }
        let list = try await run("busctl", "\(busctl) list")
        #expect(list.contains(Self.name))
    }

    @Test(
        .enabled(if: OutsideProgram.path("gdbus") != nil, "gdbus is not installed"),
        arguments: TestBus.available)
    func gdbusCalls(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let server = try await serve(bus)
        let at = "--address \(bus.address) --dest \(Self.name) --object-path /org/example/one"
        let call = try await run(
            "gdbus", "call \(at) --method \(Self.thing.name).Join ['a','b'] 7")
        #expect(call == "('a-b 7',)\n")
        let described = try await run("gdbus", "introspect \(at)")
        for word in ["Join", "Level = 0x40", "Name = 'Ring'", "Happened"] {
            #expect(described.contains(word), "\(described)")
        }
        let all = try await run(
            "gdbus", "call \(at) --method org.freedesktop.DBus.Properties.GetAll \(Self.thing.name)"
        )
        #expect(all == "({'Level': <byte 0x40>, 'Name': <'Ring'>},)\n")
        withExtendedLifetime(server) {}
    }

    /// A monitor receives what was sent.
    @Test(
        .enabled(if: OutsideProgram.path("busctl") != nil, "busctl is not installed"),
        arguments: TestBus.available)
    func busctlMonitors(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let server = try await serve(bus)
        let before = try await server.names().count
        // busctl would buffer lines that go to no terminal.
        let monitor = try RunningProgram(
            "stdbuf",
            [
                "-oL", "busctl", "--address=\(bus.address)", "--json=short",
                "--match=member='Happened'", "monitor",
            ])
        // A monitor has no name; its first line shows that it listens.
        let first = try await line(of: monitor) { $0.contains("Monitoring") }
        #expect(first.contains("Monitoring"))
        try server.emit(
            DBusSignal("Happened", of: Self.thing.name, at: .root, [.string("this")]))
        let heard = try await line(of: monitor) { $0.contains("Happened") }
        #expect(heard.contains("\"data\":[\"this\"]"), "\(heard)")
        #expect(try await server.names().count == before)
    }

    private func line(
        of program: RunningProgram, where isMeant: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread {
                let result = Result {
                    var line = try program.readLine()
                    while !isMeant(line), !line.isEmpty { line = try program.readLine() }
                    return line
                }
                continuation.resume(with: result)
            }.start()
        }
    }
}
