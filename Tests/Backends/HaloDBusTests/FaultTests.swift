import Synchronization
import TestSupport
import Testing

@testable import HaloDBus

/// Buses that die, stay silent, or send garbage.
@Suite(.takesTurns) struct FaultTests {
    private static let get = DBusCall.bus("GetId")

    @Test(arguments: TestBus.available)
    func aBusThatDiesEndsEverything(_ kind: TestBus) async throws {
        let bus = try kind.start()
        defer { bus.kill() }
        let server = try await bus.connect()
        let client = try await bus.connect()
        let asked = Collector<DBusRequest>()
        let never = DBusInterface("a.b", methods: [.init("Never")])
        try server.export(DBusObject([never]), at: .root) { asked.append($0) }
        let results = Collector<DBusError.Kind?>()
        for _ in 0..<20 {
            client.call(DBusCall("Never", of: "a.b", at: .root, on: server.uniqueName ?? "")) {
                results.append($0.failure?.kind)
            }
        }
        _ = try await asked.wait(for: 20)
        let ends = Collector<DBusError.Kind>()
        client.onEnd { ends.append($0.kind) }
        bus.kill()
        #expect(try await ends.wait(for: 1) == [.disconnected])
        #expect(results.all == [DBusError.Kind?](repeating: .disconnected, count: 20))
        await #expect(throws: DBusError.self) { try await client.call(Self.get) }
        #expect(throws: DBusError.self) { try client.subscribe(DBusMatchRule()) { _ in } }
        let late = Collector<DBusError.Kind>()
        client.onEnd { late.append($0.kind) }
        #expect(try await late.wait(for: 1) == [.disconnected])
        asked.all.forEach { $0.reply() }
        #expect(client.hub.read { $0.completions.isEmpty })
        let again = try kind.start()
        _ = try await again.connect().call(Self.get)
    }

    /// A bus that sends bytes and then nothing; `nil` closes the socket.
    private func bus(
        saying bytes: [UInt8], closes: Bool = false, timeout: Duration = .seconds(20)
    ) throws -> (DBusConnection, DBusDescriptors) {
        let ends = try DBusDescriptor.socketPair()
        guard let one = ends.take(0), let other = ends.take(1) else { throw TestBus.Missing() }
        bytes.withUnsafeBytes { _ = SystemSocket.send(other.number, $0, []) }
        let kept = DBusDescriptors(owning: closes ? [] : [other.release()])
        return (try DBusConnection(owning: one, timeout: timeout), kept)
    }

    private static let letIn = Array(
        "OK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n".utf8)

    @Test func aSilentBusTimesOut() async throws {
        for bytes in [[], Self.letIn] {
            let (connection, kept) = try bus(saying: bytes, timeout: .milliseconds(30))
            let results = Collector<DBusError.Kind?>()
            connection.call(Self.get) { results.append($0.failure?.kind) }
            await #expect(throws: DBusError(.timedOut)) { try await connection.ready() }
            #expect(try await results.wait(for: 1) == [.timedOut])
            withExtendedLifetime(kept) {}
        }
    }

    @Test func garbageIsAnError() async throws {
        let hello = try DBusMessage(.reply(to: 1), body: [.string(":1.1")]).encoded()
        let cases: [([UInt8], Bool, DBusError.Kind)] = [
            (Array("HTTP/1.1 400 Bad Request\r\n".utf8), false, .notAuthenticated),
            (Array("REJECTED\r\n".utf8), false, .notAuthenticated),
            ([UInt8](repeating: 0x61, count: 1 << 15), false, .notAuthenticated),
            (Self.letIn + [UInt8](repeating: 0x20, count: 16), false, .malformed),
            (Self.letIn + hello.dropLast(), true, .disconnected),
            (Self.letIn, true, .disconnected), ([], true, .disconnected),
            (Self.letIn + hello.prefix(12), true, .disconnected),
        ]
        for (bytes, closes, kind) in cases {
            let (connection, kept) = try bus(saying: bytes, closes: closes)
            let error = await #expect(throws: DBusError.self) { try await connection.ready() }
            #expect(error?.kind == kind, "\(bytes.prefix(20))")
            withExtendedLifetime(kept) {}
        }
    }

    @Test func helloMayBeRefused() async throws {
        let refusal = try DBusMessage(
            .error(name: "org.freedesktop.DBus.Error.LimitsExceeded", to: 1),
            body: [.string("full")]
        ).encoded()
        let (connection, kept) = try bus(saying: Self.letIn + refusal)
        let error = await #expect(throws: DBusError.self) { try await connection.ready() }
        #expect(error?.details == "full")
        let nasty = DBusError(.remote, name: "a.b", details: "x\u{1B}[2J\u{202E}\n")
        #expect("\(nasty)" == "the other side refuses: a.b: x\u{FFFD}[2J\u{FFFD}\u{FFFD}")
        withExtendedLifetime(kept) {}
    }

    @Test func missingBusesAreUnreachable() async throws {
        let lists: [[DBusAddress]] = [
            [], [DBusAddress(.path("/nonexistent/socket"))], [DBusAddress("tcp", ["port": "1"])],
            [DBusAddress(.abstract("halo-nobody"))],
            [DBusAddress(.path("/" + String(repeating: "a", count: 200)))],
            [DBusAddress(.path("/tmp"))],
        ]
        for list in lists {
            let error = await #expect(throws: DBusError.self) {
                try await DBusConnection.connect(to: list)
            }
            #expect(error?.kind == .unreachable, "\(list)")
        }
        let bus = try TestBus.own.start()
        defer { bus.kill() }
        let second = try await DBusConnection.connect(
            to: [DBusAddress(.abstract("halo-nobody")), bus.address])
        #expect(second.uniqueName != nil)
        let other = DBusAddress(
            "unix", bus.address.values.merging(["guid": String(repeating: "0", count: 32)]) { $1 })
        await #expect(throws: DBusError.self) { try await DBusConnection.connect(to: [other]) }
    }

    @Test func closingEndsPendingCalls() async throws {
        let bus = try TestBus.own.start()
        defer { bus.kill() }
        let connection = try await bus.connect()
        let ends = Collector<DBusError.Kind>()
        connection.onEnd { ends.append($0.kind) }
        connection.close()
        connection.close()
        #expect(try await ends.wait(for: 1) == [.disconnected])
        await #expect(throws: DBusError.self) { try await connection.ready() }
        // Released without `close()`, with a pending call.
        let answers = Collector<DBusError.Kind?>()
        do {
            let (silent, kept) = try self.bus(saying: Self.letIn)
            silent.call(Self.get) { answers.append($0.failure?.kind) }
            withExtendedLifetime(kept) {}
        }
        #expect(try await answers.wait(for: 1) == [.disconnected])
    }

    /// Handlers may call back, and may close the connection.
    @Test func handlersMayCallBack() async throws {
        let bus = try TestBus.own.start()
        defer { bus.kill() }
        let connection = try await bus.connect()
        let answers = Collector<Bool>()
        connection.call(Self.get) { first in
            connection.call(Self.get) { second in
                answers.append(first.isSuccess && second.isSuccess)
                connection.close()
                connection.call(Self.get) { answers.append($0.isSuccess) }
            }
        }
        #expect(try await answers.wait(for: 2) == [true, false])
    }
}
