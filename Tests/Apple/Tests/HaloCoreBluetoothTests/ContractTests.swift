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
        let phone: Phone
        let absentDevice = PeripheralIdentity(UUID().uuidString)

        init(speed: Int) {
            let air = VirtualBluetooth(seed: 11, mode: .realTime(speed: speed))
            placed = air.add(ContractPeripheral())
            let phone = Phone(air: air)
            self.phone = phone
            transport = Phone.$current.withValue(phone) { CoreBluetoothTransport() }
        }

        func modify<Result: Sendable>(
            _ change: @escaping @Sendable (inout ContractPeripheral) -> Result
        ) async throws -> Result {
            try #require(placed.modify(change))
        }
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        // A device that does not respond is silent for 30 real seconds.
        let harness = Harness(speed: check.description.contains("never answers") ? 1 : 20)
        let isMade = try await Phone.$current.withValue(harness.phone) {
            try await check.run(on: harness)
        }
        #expect(isMade)
    }

    @Test func thereAreAsManyChecksAsForOtherBackends() {
        #expect(TransportContract<Harness>.checks.count >= 52)
    }
}
