import HaloCapture
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// A recorded transport keeps the contract, as the underlying transport does.
@Suite(.computes) struct RecordingContractTests {
    struct Harness: TransportHarness {
        let transport: RecordingTransport<VirtualBluetooth>
        let air: VirtualBluetooth
        let placed: Placed<ContractPeripheral>
        let absentDevice = DeviceNumber(77).identity
        let timeout: Duration = .seconds(120)

        init(_ recorder: CaptureRecorder, mode: VirtualMode = .automatic) {
            air = VirtualBluetooth(seed: 11, mode: mode)
            transport = RecordingTransport(air, to: recorder)
            placed = air.add(ContractPeripheral())
        }

        func order(
            _ instructions: [ContractPeripheral.Instruction]
        ) async throws -> ContractPeripheral {
            try #require(placed.modify { $0.order(instructions) })
        }
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        let recorder = CaptureRecorder()
        #expect(try await check.run(on: Harness(recorder)))
        let capture = recorder.capture()
        #expect(try Capture(reading: capture.text) == capture)
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContractWhenTimeIsStepped(_ check: TransportContract<Harness>.Check) throws {
        let harness = Harness(CaptureRecorder { _ in }, mode: .manual)
        let isChecked = try runDeterministically(step: { harness.air.step() }) {
            try await check.run(on: harness)
        }
        #expect(isChecked)
    }
}
