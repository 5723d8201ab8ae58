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
        let timeout: Duration = .seconds(120)
        /// Without control of the link, which an app does not have; and without silence, because
        /// the host responds for a silent device.
        let abilities: TransportAbilities = [.changingServices]

        init(speed: Int) async throws {
            let bench = PhoneBench(speed: speed)
            self.bench = bench
            hosted = try await Phone.$current.withValue(bench.phone) {
                try await bench.transport.host(ContractPeripheral())
            }
            transport = bench.air.central(named: "central")
        }

        func order(
            _ instructions: [ContractPeripheral.Instruction]
        ) async throws -> ContractPeripheral {
            hosted.modify { $0.order(instructions) }
        }
    }

    /// The checks that no app's device can pass, and why.
    static let excused: [String: String] = [
        "a scan finds a device by the beginning of its name, in either case":
            "beside a service of 16 bytes, the system cuts the name to 10",
        "a scan finds a device by the company whose data it advertises":
            "the system advertises no manufacturer data",
        "a link is to the device that was meant, and open":
            "the system does not report a connection before the first request",
    ]

    @Test(arguments: TransportContract<Harness>.checks)
    func keepsTheContract(_ check: TransportContract<Harness>.Check) async throws {
        let harness = try await Harness(speed: check.description.contains("too much") ? 1 : 4)
        let failure: (any Error)?
        do {
            try await check.run(on: harness)
            failure = nil
        } catch {
            failure = error
        }
        if let reason = Self.excused[check.description] {
            #expect(failure != nil, "\(check) is excused because \(reason), and passes")
        } else if let failure {
            Issue.record(failure)
        }
        await harness.hosted.remove()
    }

    @Test func excusedChecksExist() {
        let names = Set(TransportContract<Harness>.checks.map(\.description))
        #expect(Set(Self.excused.keys).isSubset(of: names))
    }

    @Test func aRingIsReadByAnotherPhone() async throws {
        let bench = PhoneBench(speed: 4)
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
        #expect(await hosted.waitUntilEnded() == nil)
    }

    /// Services change while a central is subscribed: it subscribes again, and leaves.
    @Test func subscriptionsEndWithTheServices() async throws {
        let bench = PhoneBench(speed: 4)
        let hosted = try await Phone.$current.withValue(bench.phone) {
            try await bench.transport.host(ContractPeripheral())
        }
        let central = bench.air.central(named: "central")
        let filter = ScanFilter(services: [ContractAttribute.service])
        let found = try await central.find(filter, timeout: .seconds(600))
        let link = try await central.connect(to: found, timeout: .seconds(600))
        var values = try await link.notifications(of: link.characteristic(.second))
        #expect(await eventually { hosted.state.subscriptions.map(\.isOn) == [true] })
        var events = link.events().makeAsyncIterator()
        hosted.modify { $0.instructions.append(.addService) }
        while let received = try await events.next(), received.event != .servicesChanged {}
        #expect(await eventually { hosted.state.subscriptions.map(\.isOn) == [true, false] })
        values = try await link.notifications(of: link.characteristic(.second))
        #expect(await eventually { hosted.state.subscriptions.map(\.isOn) == [true, false, true] })
        withExtendedLifetime(values) {}
        await link.disconnect()
        #expect(try await central.find(filter, timeout: .seconds(600)).identity == found.identity)
        await hosted.remove()
    }

    /// More values than the system's queue holds: all arrive, in order.
    @Test(arguments: [Set<Trap>(), [.readyToUpdateBeforeFalse]])
    func manyValuesArriveInOrder(_ traps: Set<Trap>) async throws {
        let bench = PhoneBench(speed: 4, traps: traps)
        let (hosted, link) = try await bench.hosting()
        let values = try await link.notifications(of: link.characteristic(.second))
        #expect(await eventually { hosted.state.subscriptions.map(\.isOn) == [true] })
        hosted.modify { peripheral in
            peripheral.instructions += (0..<200).map { .send(.second, [$0]) }
        }
        var received: [[UInt8]] = []
        for try await value in values {
            received.append(value.value)
            if received.count == 200 { break }
        }
        #expect(received == (0..<200).map { [$0] })
        await link.disconnect()
        await hosted.remove()
    }

    /// A request that the device has not responded to is responded to at the end.
    @Test func theEndRespondsToOpenRequests() async throws {
        let bench = PhoneBench(speed: 1)
        let (hosted, link) = try await bench.hosting()
        let silent = try await link.characteristic(.silent)
        let reading = Task { await error { try await link.read(silent) } }
        #expect(await eventually { hosted.isConnected })
        try await bench.air.clock.sleep(for: .milliseconds(300))
        await hosted.remove()
        #expect(await reading.value?.attError == .unlikely)
    }

    @Test func aSystemThatIsOffAtFirstHosts() async throws {
        let bench = PhoneBench(speed: 4, traps: [.poweredOffFirst])
        try await Phone.$current.withValue(bench.phone) {
            try await bench.transport.host(ContractPeripheral()).remove()
        }
    }

    /// A device that is removed is not retained.
    @Test func aRemovedDeviceIsGone() async throws {
        let bench = PhoneBench(speed: 4)
        weak var token: TokenDevice.Token?
        try await Phone.$current.withValue(bench.phone) {
            let device = TokenDevice()
            token = device.token
            let hosted = try await bench.transport.host(device)
            await hosted.remove()
        }
        #expect(await eventually { token == nil })
    }

    /// The call ends with its task, and the place is free.
    @Test(.timeLimit(.minutes(20))) func aCancelledTaskDoesNotHost() async throws {
        let air = VirtualBluetooth(seed: 1, mode: .realTime(speed: 4))
        let phone = Phone(air: air)
        // Nothing begins before the user has decided.
        phone.setAuthorization(.notDetermined)
        let transport = PhoneBench.launch(on: phone)
        for isLate in [false, true] {
            let task = Task {
                await Phone.$current.withValue(phone) {
                    await error { try await transport.host(ContractPeripheral()) }
                }
            }
            if isLate { #expect(await eventually { phone.managerCount == 2 }) }
            task.cancel()
            #expect(await task.value?.kind == .cancelled)
            #expect(await eventually { phone.managerCount == 1 })
        }
        phone.setAuthorization(.allowedAlways)
        try await Phone.$current.withValue(phone) {
            try await transport.host(ContractPeripheral()).remove()
        }
    }

    @Test func aSecondDeviceIsRefused() async throws {
        let bench = PhoneBench(speed: 4)
        try await Phone.$current.withValue(bench.phone) {
            let first = try await bench.transport.host(ContractPeripheral())
            let refusal = await error { try await bench.transport.host(ContractPeripheral()) }
            #expect(refusal?.kind == .notSupported)
            await first.remove()
            try await bench.transport.host(ContractPeripheral()).remove()
        }
    }

    @Test func bluetoothThatIsOffIsAnError() async throws {
        let bench = PhoneBench(speed: 4)
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
        let bench = PhoneBench(speed: 4, traps: traps)
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

/// A device with an object of its own.
private struct TokenDevice: GATTPeripheral {
    final class Token: Sendable {}

    let token = Token()
    var services: [GATTService] { [] }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {}
}
