#if os(Linux)
import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Daemons that die, adapters that are unplugged, devices that vanish: each operation ends with an
/// error that gives the reason, and the next attempt works.
@Suite(.takesTurns) struct LinkMisfortuneTests {
    typealias Harness = LinkContractTests.Harness

    enum Misfortune: CaseIterable {
        case daemonKilled, busKilled, adapterRemoved, adapterOff, deviceLost

        func befall(_ harness: Harness) async throws {
            switch self {
            case .daemonKilled: await harness.fake.kill()
            case .busKilled: harness.fake.bus.disconnectAll()
            case .adapterRemoved: harness.fake.removeAdapter()
            case .adapterOff: harness.fake.setPowered(false)
            case .deviceLost: harness.fake.setAway(true, harness.identity)
            }
        }

        func pass(_ harness: Harness) async throws {
            switch self {
            case .daemonKilled, .busKilled: try await harness.fake.restart()
            case .adapterRemoved: harness.fake.addAdapter(0)
            case .adapterOff: harness.fake.setPowered(true)
            case .deviceLost: harness.fake.setAway(false, harness.identity)
            }
        }

        var reason: DisconnectReason.Kind {
            switch self {
            case .daemonKilled, .busKilled: .backendGone
            case .adapterRemoved, .adapterOff: .adapterGone
            case .deviceLost: .remote
            }
        }
    }

    private func works(_ harness: Harness) async throws {
        for try await state in harness.transport.adapterStates() where state == .poweredOn {
            break
        }
        let link = try await harness.transport.connect(
            to: harness.identity, timeout: .seconds(60))
        let text = try await link.characteristic(
            ContractAttribute.text.uuid, of: ContractAttribute.service)
        #expect(try await link.read(text) == ContractPeripheral.text)
        await link.disconnect()
    }

    @Test(arguments: Misfortune.allCases)
    func aLinkEndsWithItsReasonAndTheNextOneWorks(_ misfortune: Misfortune) async throws {
        let harness = try await Harness(answering: .seconds(600))
        let link = try await harness.transport.connect(to: harness.identity)
        let second = try await link.characteristic(
            ContractAttribute.second.uuid, of: ContractAttribute.service)
        let silent = try await link.characteristic(
            ContractAttribute.silent.uuid, of: ContractAttribute.service)
        let values = try await link.notifications(of: second)
        let reading = Task { try await link.read(silent) }
        #expect(try await harness.reaches { $0.running != nil })
        try await misfortune.befall(harness)
        var iterator = values.makeAsyncIterator()
        do {
            _ = try await iterator.next()
            Issue.record("the values go on")
        } catch {
            #expect(error.reason?.kind == misfortune.reason)
        }
        do {
            _ = try await reading.value
            Issue.record("there is an answer")
        } catch {
            #expect((error as? BLEError)?.reason?.kind == misfortune.reason)
        }
        try await misfortune.pass(harness)
        try await works(harness)
        harness.transport.hub.read { session in
            #expect(session.links.entries.isEmpty)
            #expect(session.links.sources.isEmpty)
        }
    }

    @Test(arguments: Misfortune.allCases)
    func anAttemptEndsAndTheNextOneWorks(_ misfortune: Misfortune) async throws {
        let harness = try await Harness(timing: FakeTiming(connecting: .seconds(3600)))
        // A daemon goes on with a device that is out of reach.
        let timeout: Duration = misfortune == .deviceLost ? .seconds(3) : .seconds(600)
        let connecting = Task {
            try await harness.transport.connect(to: harness.identity, timeout: timeout)
        }
        #expect(try await eventually { harness.fake.attemptCount == 1 })
        try await misfortune.befall(harness)
        let result = await connecting.result
        let error = #expect(throws: BLEError.self) { try result.get() }
        #expect((error?.kind == .timedOut) == (misfortune == .deviceLost))
        harness.fake.timing.connecting = .zero
        try await misfortune.pass(harness)
        try await works(harness)
    }

    @Test func manyLinksLeaveNothingBehind() async throws {
        let harness = try await Harness()
        for round in 0..<100 {
            let link = try await harness.transport.connect(to: harness.identity)
            let second = try await link.characteristic(
                ContractAttribute.second.uuid, of: ContractAttribute.service)
            let values = try await link.notifications(of: second)
            if round.isMultiple(of: 2) { harness.fake.loseLink(harness.identity) }
            await link.disconnect()
            withExtendedLifetime(values) {}
        }
        harness.transport.hub.read { session in
            #expect(session.links.entries.isEmpty)
            #expect(session.links.byDevice.isEmpty)
            #expect(session.links.sources.isEmpty)
        }
    }

    /// Many links share one transport, and each receives only its own values.
    @Test func manyLinksAtOnceKeepApart() async throws {
        let (linkCount, valueCount) = (40, 100)
        let harness = try await Harness()
        let devices = (0..<linkCount).map { number in
            harness.fake.add(
                ContractPeripheral(),
                address: "C0:DE:00:00:01:" + (number < 10 ? "0" : "") + "\(number)")
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (number, device) in devices.enumerated() {
                group.addTask {
                    let identity = device.identity ?? harness.absentDevice
                    let link = try await harness.transport.connect(to: identity)
                    let second = try await link.characteristic(
                        ContractAttribute.second.uuid, of: ContractAttribute.service)
                    let values = try await link.notifications(of: second, buffer: valueCount)
                    device.modify { device in
                        for value in 0..<valueCount {
                            device.instructions.append(
                                .send(.second, [UInt8(value), UInt8(number)]))
                        }
                    }
                    var iterator = values.makeAsyncIterator()
                    for value in 0..<valueCount {
                        let next = try await iterator.next()
                        #expect(next?.value == [UInt8(value), UInt8(number)])
                    }
                    await link.disconnect()
                    return 1
                }
            }
            let count = try await group.reduce(0, +)
            #expect(count == linkCount)
        }
    }
}
#endif
