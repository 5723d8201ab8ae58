import CoreBluetooth
import Foundation
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import Testing

@testable import HaloCoreBluetooth

/// A phone whose Bluetooth goes away, is forbidden, or calls back in other ways than documented.
@Suite(.timeLimit(.minutes(20))) struct FaultTests {
    /// The ways in which Bluetooth goes away, and how links and attempts end then.
    enum Loss: CaseIterable, Sendable {
        case off, reset, forbidden

        func befall(_ phone: Phone) {
            switch self {
            case .off: phone.powerOff()
            case .reset: phone.setState(.resetting)
            case .forbidden: phone.setAuthorization(.denied)
            }
        }

        func pass(_ phone: Phone) {
            switch self {
            case .off, .reset: phone.powerOn()
            case .forbidden: phone.setAuthorization(.allowedAlways)
            }
        }

        var reason: DisconnectReason.Kind { self == .off ? .adapterGone : .backendGone }

        var error: BLEError.Kind {
            switch self {
            case .off: .bluetoothOff
            case .reset: .backend
            case .forbidden: .unauthorized
            }
        }
    }

    /// In slow time: a request that is not responded to would end the link after 30 seconds.
    @Test(arguments: Loss.allCases)
    func endsALinkWithWorkUnderWay(_ loss: Loss) async throws {
        let bench = PhoneBench(speed: 2)
        let (link, _) = try await bench.connected()
        let silent = try await link.characteristic(.silent)
        let values = try await link.notifications(of: try await link.characteristic(.second))
        async let reading = error { try await link.read(silent) }
        async let scanning = error {
            for try await _ in bench.transport.scan(ScanFilter(company: 0xFFFE)) {}
        }
        let absent = bench.air.add(Absent())
        bench.phone.meet(absent.identity)
        async let attempting = error {
            try await bench.transport.connect(
                to: bench.identity(of: absent), timeout: .seconds(600))
        }
        try await bench.air.clock.sleep(for: .milliseconds(500))
        loss.befall(bench.phone)
        #expect(await reading?.disconnectReason?.kind == loss.reason)
        #expect(await scanning?.kind == loss.error)
        #expect(await attempting?.kind == loss.error)
        #expect(link.disconnectReason?.kind == loss.reason)
        #expect(await error { for try await _ in values {} }?.disconnectReason?.kind == loss.reason)
        loss.pass(bench.phone)
        try await bench.reaches(.poweredOn)
        let (again, _) = try await bench.connected()
        await again.disconnect()
    }

    @Test(arguments: Loss.allCases)
    func failsWhatBeginsMeanwhile(_ loss: Loss) async throws {
        let bench = PhoneBench()
        try await bench.reaches(.poweredOn)
        let device = bench.addDevice()
        loss.befall(bench.phone)
        guard loss != .reset else {
            // While the service starts again, scans and attempts wait for it.
            try await bench.reaches(.unknown)
            async let link = bench.transport.connect(to: bench.identity(of: device))
            bench.phone.powerOn()
            return await (try link).disconnect()
        }
        try await bench.reaches(loss == .off ? .poweredOff : .unauthorized)
        #expect(
            await error { try await bench.transport.connect(to: bench.identity(of: device)) }?
                .kind == loss.error)
        #expect(await error { try await bench.transport.find() }?.kind == loss.error)
        #expect(
            await error { try await bench.transport.connectedDevices(with: []) }?.kind
                == loss.error)
    }

    /// Objects of before the restart are invalid, also if Bluetooth was off before it.
    @Test func connectsAfterARestartOfTheService() async throws {
        let bench = PhoneBench()
        bench.air.add(ContractPeripheral())
        let found = try await bench.transport.find(
            ScanFilter(services: [ContractAttribute.service]), timeout: .seconds(60))
        bench.phone.powerOff()
        try await bench.reaches(.poweredOff)
        bench.phone.setState(.resetting)
        try await bench.reaches(.unknown)
        bench.phone.powerOn()
        let link = try await bench.transport.connect(to: found, timeout: .seconds(60))
        #expect(try await link.services.isEmpty == false)
        await link.disconnect()
    }

    /// The state is reported once for each change, and not to an observer that has ended.
    @Test func reportsEachChangeOnce() async throws {
        let bench = PhoneBench(traps: [.poweredOffFirst])
        let states = Calls<AdapterState>()
        let ended = Calls<AdapterState>()
        let observer = bench.transport.observeAdapter { states.note($0) }
        bench.transport.observeAdapter { ended.note($0) }.cancel()
        try await bench.reaches(.poweredOn)
        bench.phone.powerOff()
        try await bench.reaches(.poweredOff)
        bench.phone.powerOn()
        try await bench.reaches(.poweredOn)
        #expect(states.all == [.poweredOn, .poweredOff, .poweredOn])
        #expect(ended.all == [])
        observer.cancel()
    }

    /// The first state counts after two seconds, once, and what waits for it fails then.
    @Test func aPhoneThatIsOffIsReportedAsOff() async throws {
        let phone = Phone(air: VirtualBluetooth(seed: 1, mode: .realTime(speed: 50)))
        phone.powerOff()
        let start = ContinuousClock.now
        let transport = PhoneBench.launch(on: phone)
        let failure = await error { try await transport.find(timeout: .seconds(60)) }
        #expect(failure?.kind == .bluetoothOff)
        #expect(start.duration(to: .now) >= CentralCore.settlingTime)
        #expect(transport.adapterState == .poweredOff)
    }

    /// The system shows its alert for each role, unless the app does not want it.
    @Test(arguments: [true, false]) func showsThePowerAlertAsWanted(_ isWanted: Bool) async {
        let phone = Phone(air: VirtualBluetooth(seed: 1, mode: .realTime(speed: 50)))
        phone.powerOff()
        await Phone.$current.withValue(phone) {
            let transport = CoreBluetoothTransport(showsPowerAlert: isWanted)
            #expect(transport.adapterState == .unknown)
            #expect(phone.powerAlerts == (isWanted ? 1 : 0))
            let failure = await error { try await transport.host(ContractPeripheral()) }
            #expect(failure?.kind == .bluetoothOff)
            #expect(phone.powerAlerts == (isWanted ? 2 : 0))
        }
    }

    @Test func waitsForThePermission() async throws {
        let air = VirtualBluetooth(seed: 1, mode: .realTime(speed: 50))
        let phone = Phone(air: air)
        phone.setAuthorization(.notDetermined)
        let placed = air.add(ContractPeripheral())
        let transport = PhoneBench.launch(on: phone)
        async let found = transport.find(timeout: .seconds(60))
        try await air.clock.sleep(for: .seconds(3))
        #expect(transport.adapterState == .unknown)
        phone.setAuthorization(.allowedAlways)
        #expect(
            try await found.identity
                == PeripheralIdentity(phone.identifier(of: placed.identity).uuidString))
    }

    /// What a system does in another way than documented, and an app does not notice.
    static let unnoticed: [Trap] = [
        .duplicateConnect, .discoveryAnswersTwice, .valuesBeforeAcknowledgement,
        .readyFirstFalse, .readyStuckFalse, .readyWithoutCallback,
        .readyBeforeFalseReturns, .lateMTU, .smallMTU, .splitAdvertisement, .staleName,
        .unknownRSSI, .poweredOffFirst, .firstDiscoveryIsEmpty, .answersWritesWithoutResponse,
        .forgetsDevices, .lengthGrowsWithWriting, .servicesChangeWhileDiscovered,
        .callsBackTwice, .callsBackForStranger, .disconnectsAfterPowerOff,
        .cancelAnswersAsFailure, .lateDisconnect,
    ]

    @Test(arguments: unnoticed)
    func worksAllTheSame(_ trap: Trap) async throws {
        let bench = PhoneBench(traps: [trap])
        let device = bench.addDevice()
        let times = trap == .callsBackTwice ? 2 : 1
        for _ in 0..<2 { try await work(bench, device, valuesCome: times) }
        bench.phone.powerOff()
        try await bench.reaches(.poweredOff)
        bench.phone.powerOn()
        try await bench.reaches(.poweredOn)
        try await work(bench, device, valuesCome: times)
    }

    /// A whole session, from discovery to the end: nothing is lost, and all is in order.
    private func work(
        _ bench: PhoneBench, _ device: Placed<ContractPeripheral>, valuesCome times: Int
    ) async throws {
        let found = try await bench.transport.find(
            ScanFilter(services: [ContractAttribute.service]), timeout: .seconds(60))
        let link = try await bench.transport.connect(to: found, timeout: .seconds(60))
        let text = try await link.characteristic(.text)
        #expect(try await link.read(text) == ContractPeripheral.text)
        let record = try await link.characteristic(.record)
        let before = device.state?.written.count ?? 0
        for byte in UInt8(0)..<50 {
            try await link.write(
                [byte], to: record, byte % 3 == 0 ? .withResponse : .withoutResponse)
        }
        #expect(await eventually { device.state?.written.count == before + 50 })
        #expect(device.state?.written.suffix(50) == ArraySlice((0..<50).map { [$0] }))
        let values = try await link.notifications(of: try await link.characteristic(.second))
        device.modify { peripheral in
            peripheral.instructions += (0..<9).map { .send(.second, [$0]) }
        }
        var received: [[UInt8]] = []
        for try await value in values {
            received.append(value.value)
            if received.count == 9 * times { break }
        }
        #expect(received == (0..<9 * UInt8(times)).map { [$0 / UInt8(times)] })
        await link.disconnect()
        #expect(link.disconnectReason?.kind == .local)
    }

    @Test func failedAttemptsHaveTheirErrors() async throws {
        let traps: [(Trap, BLEError.Kind)] = [
            (.connectFails, .backend), (.connectFailsAsDisconnect, .timedOut),
            (.connectionLimit(0), .overloaded),
        ]
        for (trap, kind) in traps {
            let bench = PhoneBench(traps: [trap])
            let failure = await error { try await bench.connected() }
            #expect(failure?.kind == kind, "\(trap): \(String(describing: failure))")
            #expect(failure?.details?.contains("CBErrorDomain") == true, "\(trap)")
        }
    }

    @Test func aLinkThatDropsAtOnceEnds() async throws {
        let bench = PhoneBench(traps: [.connectThenDrops])
        let placed = bench.addDevice()
        let failure = await error {
            let link = try await bench.transport.connect(to: bench.identity(of: placed))
            _ = try await link.services
        }
        #expect(failure?.kind == .disconnected)
        #expect(failure?.disconnectReason?.kind == .remote)
    }

    @Test(arguments: BondLoss.Code.allCases, [BondLoss.Callback.failedConnect, .disconnect])
    func aLostBondIsTold(_ code: BondLoss.Code, _ callback: BondLoss.Callback) async throws {
        let bench = PhoneBench(traps: [.bondLost(BondLoss(code, in: callback))])
        let placed = bench.addDevice()
        let failure = await error {
            let link = try await bench.transport.connect(to: bench.identity(of: placed))
            _ = try await link.services
        }
        switch code {
        case .peerRemovedPairing, .attribute14, .encryptionTimedOut:
            let isTold = failure?.kind == .bondLost || failure?.disconnectReason?.kind == .bondLost
            #expect(isTold, "\(String(describing: failure))")
        case .insufficientAuthentication, .insufficientEncryption:
            #expect(failure != nil)
        }
    }

    @Test func aDiscoveryWithoutAReplyCanBeCancelled() async throws {
        let bench = PhoneBench(traps: [.discoveryNeverAnswers])
        let (link, _) = try await bench.connected()
        let discovery = Task { await error { try await link.services } }
        try await bench.air.clock.sleep(for: .seconds(3))
        discovery.cancel()
        #expect(await discovery.value?.kind == .cancelled)
        await link.disconnect()
        #expect(link.disconnectReason?.kind == .local)
    }
}

/// A device that never advertises.
struct Absent: GATTPeripheral {
    var services: [GATTService] { [] }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {}
}
