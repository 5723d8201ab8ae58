#if os(Linux)
import HaloDBus

/// Connects a device, which stays connected. So a peer needs only its path.
struct Preparation {
    private static let daemon = "org.bluez"
    private let bus: DBusConnection

    init(_ addresses: [DBusAddress]) async throws {
        bus = try await DBusConnection.connect(to: addresses)
    }

    func connect() async throws {
        _ = try await call(
            "StartDiscovery", "org.bluez.Adapter1", try DBusObjectPath("/org/bluez/hci0"))
        let device = try await find()
        _ = try await call("Connect", "org.bluez.Device1", device)
        while true {
            var paths: [String: String] = [:]
            for (path, interfaces) in try await objects() where path.isInside(device) {
                let uuid = interfaces["org.bluez.GattCharacteristic1"]?["UUID"]?.string ?? ""
                paths[String(uuid.dropFirst(4).prefix(4))] = path.text
            }
            if let read = paths["fff1"], let stream = paths["fff2"], let control = paths["fff3"] {
                return print(read, stream, control)
            }
        }
    }

    func disconnect() async throws {
        _ = try await call("Disconnect", "org.bluez.Device1", try await find())
    }

    private func find() async throws -> DBusObjectPath {
        while true {
            for (path, interfaces) in try await objects()
            where interfaces["org.bluez.Device1"]?["Address"] == .string(Streamer.address(0)) {
                return path
            }
        }
    }

    private func objects() async throws -> [(DBusObjectPath, DBusValue)] {
        let reply = try await call(
            "GetManagedObjects", "org.freedesktop.DBus.ObjectManager", .root)
        return (try reply.first().entries ?? []).compactMap { entry in
            guard case .objectPath(let path) = entry.key else { return nil }
            return (path, entry.value)
        }
    }

    private func call(
        _ member: String, _ interface: String, _ path: DBusObjectPath
    ) async throws -> DBusReply {
        try await bus.call(DBusCall(member, of: interface, at: path, on: Self.daemon))
    }
}
#endif
