import BlueZVocabulary
import HaloDBus
import HaloTesting
import HaloTransport

@testable import HaloBlueZ

/// A device that is hosted by a test's daemon.
struct HostingBench: Sendable {
    let daemon: HostingDaemon
    let connection: DBusConnection
    let hub: BlueZHub
    let hosted: Hosted<ContractPeripheral>

    init(_ options: HostingOptions = HostingOptions()) async throws {
        let bus = try PrivateBus()
        daemon = try await HostingDaemon(on: bus)
        let time = SystemTime()
        let connection = try await bus.connect(in: time.loop)
        self.connection = connection
        hub = BlueZHub(options: BlueZOptions(), time: time) { _ in connection }
        hosted = try await hub.host(ContractPeripheral(), options)
    }

    static func host(
        _ connection: DBusConnection, _ options: HostingOptions = HostingOptions(),
        _ use: BlueZOptions = BlueZOptions()
    ) async throws -> Hosted<ContractPeripheral> {
        try await host(ContractPeripheral(), on: connection, options, use)
    }

    /// Hosts a device without a transport; the time has the loop of the connection.
    static func host<Device: GATTPeripheral>(
        _ device: Device, on connection: DBusConnection,
        _ options: HostingOptions = HostingOptions(), _ use: BlueZOptions = BlueZOptions(),
        time: (any TransportTime)? = nil
    ) async throws -> Hosted<Device> {
        let hub = BlueZHub(options: use, time: time ?? SystemTime(in: connection.loop)) { _ in
            connection
        }
        return try await hub.host(device, options)
    }

    /// Waits until the hub knows that the adapter is off, and has the reply to each call that it
    /// made until then: the bus and the daemon keep the order.
    func adapterIsKnownToBeOff() async throws -> Bool {
        let isKnown = try await eventually {
            hub.read { $0.mirror.adapters[HostingDaemon.adapter]?.isPowered == false }
        }
        let ping = DBusCall(
            "Ping", of: "org.freedesktop.DBus.Peer", at: .root, on: BlueZDaemon.name)
        _ = try await connection.call(ping)
        return isKnown
    }

    func tell(_ instruction: ContractPeripheral.Instruction) {
        hosted.modify { $0.instructions.append(instruction) }
    }
}
