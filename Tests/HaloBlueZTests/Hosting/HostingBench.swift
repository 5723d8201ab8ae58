#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloTesting
import HaloTransport

@testable import HaloBlueZ

/// A device that is hosted by a daemon of a test.
struct HostingBench: Sendable {
    let daemon: HostingDaemon
    let connection: DBusConnection
    let hosted: Hosted<ContractPeripheral>

    init(_ options: HostingOptions = HostingOptions()) async throws {
        let bus = try PrivateBus()
        daemon = try await HostingDaemon(on: bus)
        connection = try await bus.connect()
        hosted = try await Self.host(connection, options)
    }

    static func host(
        _ connection: DBusConnection, _ options: HostingOptions = HostingOptions(),
        _ use: BlueZOptions = BlueZOptions()
    ) async throws -> Hosted<ContractPeripheral> {
        try await host(ContractPeripheral(), on: connection, options, use)
    }

    /// Hosts a device without a transport.
    static func host<Device: GATTPeripheral>(
        _ device: Device, on connection: DBusConnection,
        _ options: HostingOptions = HostingOptions(), _ use: BlueZOptions = BlueZOptions(),
        time: any TransportTime = SystemTime()
    ) async throws -> Hosted<Device> {
        try await BlueZHub(options: use, time: time) { connection }.host(device, options)
    }

    func tell(_ instruction: ContractPeripheral.Instruction) {
        hosted.modify { $0.instructions.append(instruction) }
    }
}
#endif
