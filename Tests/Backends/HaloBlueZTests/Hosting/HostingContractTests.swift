import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The backend and its own hosting: one transport is the device, another one the central, with a
/// fake daemon between them.
@Suite("The transport contract, with a device that we host", .takesTurns)
struct HostingContractTests {
    struct Harness: TransportHarness {
        let fake: FakeBlueZ
        let device: BlueZTransport
        let hosted: Hosted<ContractPeripheral>
        let transport: BlueZTransport
        let absentDevice = PeripheralIdentity("C0:DE:00:00:00:77")
        let timeout: Duration = .seconds(120)
        /// The most bytes that the daemon passes to a program in one packet.
        let maximumWriteLength = 510
        /// The abilities without silence: the daemon answers for a silent device before the link
        /// would end.
        let abilities: TransportAbilities = [.deviceControl, .changingServices]

        init() async throws {
            fake = try await FakeBlueZ(adapters: 2)
            let bus = try fake.listen()
            device = try await BlueZTransport(BlueZOptions(adapter: "hci1", bus: bus))
            hosted = try await device.host(ContractPeripheral())
            transport = try await BlueZTransport(BlueZOptions(adapter: "hci0", bus: bus))
        }

        func order(
            _ instructions: [ContractPeripheral.Instruction]
        ) async throws -> ContractPeripheral {
            hosted.modify { $0.order(instructions) }
        }
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        let harness = try await Harness()
        try await check.run(on: harness)
        await harness.hosted.remove()
    }
}
