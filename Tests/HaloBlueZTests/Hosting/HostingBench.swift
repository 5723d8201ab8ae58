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
        _ wish: HostedAdapterWish = HostedAdapterWish()
    ) async throws -> Hosted<ContractPeripheral> {
        try await BlueZTransport.host(
            ContractPeripheral(), options, wish, on: connection, time: SystemTime())
    }

    func tell(_ instruction: ContractPeripheral.Instruction) {
        hosted.modify { $0.instructions.append(instruction) }
    }
}
#endif
