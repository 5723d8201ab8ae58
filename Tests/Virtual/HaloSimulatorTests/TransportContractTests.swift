import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// The virtual Bluetooth keeps the contract of all backends.
@Suite(.passesTime) struct TransportContractTests {
    struct Harness: TransportHarness {
        let transport: VirtualBluetooth
        let placed: Placed<ContractPeripheral>
        let absentDevice = DeviceNumber(77).identity
        let timeout: Duration = .seconds(120)

        init(mode: VirtualMode = .automatic) {
            transport = VirtualBluetooth(seed: 11, mode: mode)
            // A second device, in the same air.
            transport.add(AirGadget())
            placed = transport.add(ContractPeripheral())
        }

        func order(
            _ instructions: [ContractPeripheral.Instruction]
        ) async throws -> ContractPeripheral {
            try #require(placed.modify { $0.order(instructions) })
        }
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        #expect(try await check.run(on: Harness()))
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContractWhenTimeIsStepped(_ check: TransportContract<Harness>.Check) throws {
        let harness = Harness(mode: .manual)
        let isChecked = try runDeterministically(step: { harness.transport.step() }) {
            try await check.run(on: harness)
        }
        #expect(isChecked)
    }
}
