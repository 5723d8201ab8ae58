import CoreBluetooth
import HaloCoreBluetooth
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

/// This phone as a device.
@Suite(.timeLimit(.minutes(20))) struct HostingTests {
    struct Harness: TransportHarness {
        let transport: VirtualCentral
        let bench: PhoneBench
        let hosted: Hosted<ContractPeripheral>
        let absentDevice = DeviceNumber(77).identity
        /// Without control of the link, which an app does not have; and without silence, because
        /// the host responds for a silent device.
        let abilities: TransportAbilities = [.changingServices]

        init() async throws {
            let bench = PhoneBench(speed: 20)
            self.bench = bench
            hosted = try await Phone.$current.withValue(bench.phone) {
                try await bench.transport.host(ContractPeripheral())
            }
            transport = bench.air.central(named: "central")
        }

        func modify<Result: Sendable>(
            _ change: @escaping @Sendable (inout ContractPeripheral) -> Result
        ) async throws -> Result {
            hosted.modify(change)
        }
    }

    /// The claims that no app's device can keep, and why.
    static let excused: [String: String] = [:]

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        let harness = try await Harness()
        try await check.run(on: harness)
        await harness.hosted.remove()
    }

    @Test func aRingIsReadByAnotherPhone() async throws {
        let bench = PhoneBench()
        let hosted = try await Phone.$current.withValue(bench.phone) {
            try await bench.transport.host(VirtualRing(.r02, wearer: Wearer(seed: 8), days: 1))
        }
        #expect(hosted.notes.contains { $0.kind == .advertisement })
        let other = Phone(air: bench.air, named: "other", seed: 2)
        let transport = PhoneBench.launch(on: other)
        let ring = try await Ring.connect(over: transport)
        #expect(try await ring.battery().percent > 0)
        #expect(hosted.isConnected)
        await ring.disconnect()
        await hosted.remove()
        #expect(await hosted.ended() == nil)
    }

    @Test func aSecondDeviceIsRefused() async throws {
        let bench = PhoneBench()
        try await Phone.$current.withValue(bench.phone) {
            let first = try await bench.transport.host(ContractPeripheral())
            let refusal = await error { try await bench.transport.host(ContractPeripheral()) }
            #expect(refusal?.kind == .notSupportedHere)
            await first.remove()
            try await bench.transport.host(ContractPeripheral()).remove()
        }
    }

    @Test func bluetoothThatIsOffIsAnError() async throws {
        let bench = PhoneBench()
        bench.phone.powerOff()
        await Phone.$current.withValue(bench.phone) {
            let off = await error { try await bench.transport.host(ContractPeripheral()) }
            #expect(off?.kind == .bluetoothOff)
            bench.phone.setAuthorization(.denied)
            let forbidden = await error { try await bench.transport.host(ContractPeripheral()) }
            #expect(forbidden?.kind == .unauthorized)
        }
    }

    @Test(arguments: [Set<Trap>(), [.servicesSurvivePowerOff], [.readyToUpdateBeforeFalse]])
    func theDeviceIsThereAgainAfterAPause(_ traps: Set<Trap>) async throws {
        let bench = PhoneBench(traps: traps)
        let hosted = try await Phone.$current.withValue(bench.phone) {
            try await bench.transport.host(ContractPeripheral())
        }
        let central = bench.air.central(named: "central")
        for _ in 0..<2 {
            let found = try await central.find(
                ScanFilter(services: [ContractAttribute.service]), timeout: .seconds(600))
            let link = try await central.connect(to: found, timeout: .seconds(600))
            let text = try await link.characteristic(.text)
            #expect(try await link.read(text) == ContractPeripheral.text)
            bench.phone.powerOff()
            #expect(await eventually { !hosted.isConnected })
            bench.phone.powerOn()
            await link.disconnect()
        }
        await hosted.remove()
    }
}
