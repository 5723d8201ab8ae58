import HaloCapture
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// A recording of the transport contract can be replayed.
///
/// The checks themselves cannot run on a recording, since they control the device.
@Suite(.passesTime) struct ReplayContractTests {
    struct Harness: TransportHarness {
        let transport: RecordingTransport<VirtualBluetooth>
        let placed: Placed<ContractPeripheral>
        let recorder = CaptureRecorder()
        let absentDevice = DeviceNumber(77).identity
        let timeout: Duration = .seconds(120)

        init() {
            let air = VirtualBluetooth(seed: 11)
            placed = air.add(ContractPeripheral())
            transport = RecordingTransport(air, to: recorder)
        }

        func order(
            _ instructions: [ContractPeripheral.Instruction]
        ) async throws -> ContractPeripheral {
            try #require(placed.modify { $0.order(instructions) })
        }
    }

    @Test(arguments: TransportContract<Harness>.checks)
    func whatWasCheckedCanBeReplayed(_ check: TransportContract<Harness>.Check) async throws {
        let harness = Harness()
        try await check.run(on: harness)
        let capture = harness.recorder.capture()
        #expect(CaptureCheck(capture).isClean)
        let device = ReplayDevice(capture)
        let air = VirtualBluetooth(seed: 12)
        let placed = air.add(device)
        for service in device.services {
            #expect(
                [ContractAttribute.service, ContractAttribute.extraService].contains(service.uuid))
        }
        var options = ReplayClientOptions()
        options.permissions = .unknown
        options.timeout = .seconds(1)
        let comparison = try await ReplayClient(capture, options).run(
            over: air, to: placed.identity)
        // Without a recorded reply, a request is refused.
        for exchange in comparison.differences {
            let silent = CaptureChannel(ContractAttribute.silent.uuid)
            #expect(exchange.request.channel == silent, "\(check): \(exchange)")
        }
        #expect(comparison.interruption == nil, "\(check): \(comparison)")
    }
}
