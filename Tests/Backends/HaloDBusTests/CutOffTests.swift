import Foundation
import TestSupport
import Testing

@testable import HaloDBus

/// A private bus that disconnects its clients.
@Suite(.takesTurns) struct CutOffTests {
    private let folder = TestFolder()
    private var path: String { folder.path("bus") }

    @Test func laterClientsAreAccepted() async throws {
        let bus = try PrivateBus()
        for _ in 0..<50 {
            let before = try await bus.connect()
            let ends = Collector<DBusError.Kind>()
            before.onEnd { ends.append($0.kind) }
            bus.disconnectAll()
            let after = try await bus.connect()
            #expect(try await after.names().contains(after.uniqueName ?? ""))
            #expect(try await ends.wait(for: 1) == [.disconnected])
        }
    }

    private static func listener(_ socket: Int32) -> BusHub.Command {
        .listener(BusHub.Listener(socket: socket, access: .user))
    }

    /// Programs of this user and root may connect, or everybody's.
    @Test func accessDependsOnTheUser() {
        let own = SystemSocket.userID
        let users: [UInt32?] = [own, 0, own &+ 1, own &+ 1000, nil]
        let some = BusHub.Listener(socket: -1, access: .user)
        #expect(users.map(some.admits) == [true, true, false, false, false])
        let all = BusHub.Listener(socket: -1, access: .everyone)
        #expect(users.map(all.admits) == [true, true, true, true, true])
    }

    /// Each socket is handed out once: after it is closed, its number may be reused.
    @Test func pendingWorkIsHandedOutOnce() throws {
        let hub = try BusHub()
        let file = "/tmp/halo"
        // The system never assigns numbers as high as these.
        let numbers = (0..<4).map { Int32(1 << 30 + $0) }
        #expect(hub.send(.client(numbers[0])) && hub.send(Self.listener(numbers[1]), file: file))
        #expect(hub.send(Self.listener(numbers[2])))
        func drained() -> [String] {
            hub.drain().map { command in
                switch command {
                case .client(let socket): "client \(socket - numbers[0])"
                case .listener(let listener): "listener \(listener.socket - numbers[0])"
                case .disconnectAll, .close: "\(command)"
                }
            }
        }
        #expect(drained() == ["client 0", "listener 1", "listener 2"])
        #expect(drained() == [])
        for command in [BusHub.Command.client(numbers[3]), .disconnectAll, .client(numbers[0])] {
            #expect(hub.send(command))
        }
        #expect(drained() == ["client 3", "disconnectAll", "client 0"])
        #expect(drained() == [])
        hub.send(.close)
        #expect(!hub.send(.client(numbers[3])) && !hub.send(Self.listener(numbers[3]), file: file))
        #expect(drained() == ["close"])
    }

    /// A closed bus removes its file, and accepts no client.
    @Test func aClosedBusRefusesClients() async throws {
        let bus = try PrivateBus()
        let address = try bus.listen(at: .path(path))
        #expect(address.socket == .path(path) && address.busID == bus.id)
        #expect(bus.id.utf8.count == 32)
        #expect(AuthenticationLine.bytes(hexadecimal: bus.id)?.count == 16)
        let other = try bus.listen()
        let clients = [
            try await DBusConnection.connect(to: [address]),
            try await DBusConnection.connect(to: [other]), try await bus.connect(),
        ]
        #expect(clients.map(\.busID) == [bus.id, bus.id, bus.id])
        #expect(FileManager.default.fileExists(atPath: path))
        bus.close()
        #expect(!FileManager.default.fileExists(atPath: path))
        let ends = Collector<DBusError.Kind>()
        for client in clients { client.onEnd { ends.append($0.kind) } }
        #expect(try await ends.wait(for: 3) == [.disconnected, .disconnected, .disconnected])
        let error = DBusError(.disconnected, details: "the bus is closed")
        #expect(throws: error) { _ = try bus.socket() }
        #expect(throws: error) { try bus.listen() }
        #expect(throws: error) { try bus.listen(at: .path(path)) }
        #expect(!FileManager.default.fileExists(atPath: path))
        await #expect(throws: DBusError.self) { try await DBusConnection.connect(to: [other]) }
    }

    /// The file of a socket on which no program listens is replaced.
    @Test func aDeadSocketIsReplaced() async throws {
        SystemSocket.close(try SystemSocket.listen(at: .path(path)))
        #expect(FileManager.default.fileExists(atPath: path))
        let bus = try PrivateBus()
        let address = try bus.listen(at: .path(path))
        let client = try await DBusConnection.connect(to: [address])
        #expect(client.busID == bus.id)
    }

    /// A socket on which a bus listens stays.
    @Test func aLiveSocketIsNotReplaced() async throws {
        let bus = try PrivateBus()
        let address = try bus.listen(at: .path(path))
        #expect(throws: DBusError(.unreachable, details: "Address already in use")) {
            _ = try PrivateBus().listen(at: .path(path))
        }
        let client = try await DBusConnection.connect(to: [address])
        #expect(client.busID == bus.id)
    }

    /// What is no socket stays: a file, and a link to a dead socket.
    @Test(arguments: [false, true]) func whatIsNoSocketIsNotReplaced(isLink: Bool) async throws {
        if isLink {
            SystemSocket.close(try SystemSocket.listen(at: .path(path)))
            try FileManager.default.createSymbolicLink(
                atPath: path + "-link", withDestinationPath: path)
        } else {
            #expect(FileManager.default.createFile(atPath: path, contents: Data("a".utf8)))
        }
        #expect(throws: DBusError(.unreachable, details: "Address already in use")) {
            _ = try PrivateBus().listen(at: .path(isLink ? path + "-link" : path))
        }
        #expect(FileManager.default.contents(atPath: path) == (isLink ? nil : Data("a".utf8)))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    /// While another program may be about to listen, a socket that looks dead stays.
    @Test func aSocketInALockedFolderIsNotReplaced() async throws {
        SystemSocket.close(try SystemSocket.listen(at: .path(path)))
        let lock = open(folder.path, O_RDONLY | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX) == 0)
        #expect(throws: DBusError(.unreachable, details: "Address already in use")) {
            _ = try PrivateBus().listen(at: .path(path))
        }
        SystemSocket.close(lock)
        _ = try PrivateBus().listen(at: .path(path))
    }

    /// A client's buffer is that of dbus-daemon's `system.conf`.
    @Test func theLimitsAreThese() {
        let limits = PrivateBus.Limits()
        #expect(limits.bufferBytes == 133_169_152)
        #expect(limits.incompleteBytes == 268_435_456)
        #expect(limits.unreadBytes == 2 * limits.bufferBytes)
    }
}
