import CoreBluetooth
import Foundation
import HaloCoreBluetooth
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

/// The backend keeps the contract of all backends, on the stand-in.
@Suite(.timeLimit(.minutes(20))) struct ContractTests {
    struct Harness: TransportHarness {
        let transport: CoreBluetoothTransport
        let placed: Placed<ContractPeripheral>
        let timeout: Duration = .seconds(120)
        let absentDevice = PeripheralIdentity(UUID().uuidString)

        init(speed: Int) {
            let air = VirtualBluetooth(seed: 11, mode: .realTime(speed: speed))
            placed = air.add(ContractPeripheral())
            transport = PhoneBench.launch(on: Phone(air: air))
        }

        func order(
            _ instructions: [ContractPeripheral.Instruction]
        ) async throws -> ContractPeripheral {
            try #require(placed.modify { $0.order(instructions) })
        }
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        // Real time, where a check waits for a device that does not respond, or counts reports.
        let isSlow = ["never answers", "too much", "under way"].contains {
            check.description.contains($0)
        }
        let harness = Harness(speed: isSlow ? 1 : 5)
        // The first state is unknown, as on a phone.
        for try await state in harness.transport.adapterStates() where state == .poweredOn { break }
        #expect(try await check.run(on: harness))
    }

    @Test func thereAreAsManyChecksAsForOtherBackends() {
        #expect(TransportContract<Harness>.checks.count >= 52)
    }
}
