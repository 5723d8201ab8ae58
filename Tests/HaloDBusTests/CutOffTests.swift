#if os(Linux)
import Foundation
import Testing

@testable import HaloDBus

/// A bus that cuts everybody off.
@Suite(.takesTurns) struct CutOffTests {
    @Test func whoComesAfterwardsIsLetIn() async throws {
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

    private static func listener(_ socket: Int32) -> BusListener {
        BusListener(socket: socket, access: .user)
    }

    /// Programs of this user and root's come in, or everybody's.
    @Test func whoMayComeInIsSaid() {
        let own = SystemSocket.userID
        let users: [UInt32?] = [own, 0, own &+ 1, own &+ 1000, nil]
        let some = BusListener(socket: -1, access: .user)
        #expect(users.map(some.admits) == [true, true, false, false, false])
        let all = BusListener(socket: -1, access: .everyone)
        #expect(users.map(all.admits) == [true, true, true, true, true])
    }

    /// What is to be done is done once: a socket that is closed is soon somebody else's.
    @Test func everythingIsDoneOnce() throws {
        let hub = try BusHub()
        let place = DBusAddress.Socket.path("/tmp/halo")
        // The system never gives numbers as high as these.
        let numbers = (0..<4).map { Int32(1 << 30 + $0) }
        #expect(hub.add(numbers[0]) && hub.addListener(Self.listener(numbers[1]), place))
        #expect(hub.addListener(Self.listener(numbers[2]), .abstract("halo")))
        let first = hub.take()
        #expect(
            first.arriving == [numbers[0]]
                && first.listeners.map(\.socket) == [numbers[1], numbers[2]])
        #expect(first.files == ["/tmp/halo"])
        #expect(!first.mustDisconnectAll && !first.isClosed && first.cutOff.isEmpty)
        #expect(hub.take().arriving.isEmpty)
        #expect(hub.add(numbers[3]))
        hub.disconnectAll()
        #expect(hub.add(numbers[0]))
        let second = hub.take()
        #expect(second.mustDisconnectAll)
        #expect(second.cutOff == [numbers[3]] && second.arriving == [numbers[0]])
        let third = hub.take()
        #expect(!third.mustDisconnectAll && third.cutOff.isEmpty && third.arriving.isEmpty)
        #expect(third.listeners.map(\.socket) == [numbers[1], numbers[2]])
        hub.close()
        #expect(!hub.add(numbers[3]) && !hub.addListener(Self.listener(numbers[3]), place))
        let last = hub.take()
        #expect(last.isClosed && last.files.isEmpty && last.arriving.isEmpty)
    }

    /// A file to listen at is gone when the bus is closed, and nobody comes any more.
    @Test func aClosedBusIsClosed() async throws {
        let path = NSTemporaryDirectory() + "halo-bus-\(SystemSocket.now())"
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
        await #expect(throws: DBusError.self) { try await DBusConnection.connect(to: [other]) }
    }

    /// As much as dbus-daemon's `system.conf` has it.
    @Test func usuallyMuchIsKept() {
        #expect(BusHub.usuallyKept == 133_169_152)
    }
}
#endif
