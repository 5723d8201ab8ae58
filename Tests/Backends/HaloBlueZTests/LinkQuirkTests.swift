import FakeBlueZ
import HaloDBus
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The daemon's misbehaviours, each by its switch. A program that connects, reads, writes,
/// subscribes and disconnects does not notice, or gets an error with the reason.
@Suite(.takesTurns) struct LinkQuirkTests {
    private var quirks = FakeQuirks()

    typealias Harness = LinkContractTests.Harness

    struct Quirk: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout FakeQuirks) -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout FakeQuirks) -> Void) {
            testDescription = name
            self.change = change
        }
    }

    static let unnoticed = [
        Quirk("exportsLate") { $0.exportsLate = .milliseconds(20) },
        Quirk("exportsLate at once") { $0.exportsLate = .zero },
        Quirk("abortsByLocal") { $0.abortsByLocal = 2 },
        Quirk("forgetsWhenSearchEnds") { $0.forgetsWhenSearchEnds = true },
        Quirk("diesOfServiceFilters") { $0.diesOfServiceFilters = true },
        Quirk("endsInTwoSignals") { $0.endsInTwoSignals = true },
        Quirk("tellsReasons") { $0.tellsReasons = true },
        Quirk("operationInProgress") { $0.operationInProgress = 4 },
        Quirk("announcesReads") { $0.announcesReads = true },
        Quirk("no announced reads") { $0.announcesReads = false },
        Quirk("valuesBeforeAnswer") { $0.valuesBeforeAnswer = true },
        Quirk("forgetsSubscriptions") { $0.forgetsSubscriptions = true },
        Quirk("hidesMTU") { $0.hidesMTU = true },
        Quirk("mtu 23") { $0.mtu = 23 },
    ]

    @Test(arguments: unnoticed) mutating func aLinkDoesItsWork(_ quirk: Quirk) async throws {
        quirk.change(&quirks)
        let harness = try await Harness(quirks: quirks)
        for _ in 0..<2 { try await work(harness) }
    }

    /// Uses every operation of a link.
    private func work(_ harness: Harness) async throws {
        let transport = harness.transport
        let found = try await transport.find(ScanFilter(services: [ContractAttribute.service]))
        let link = try await transport.connect(to: found)
        func characteristic(_ attribute: ContractAttribute) async throws -> GATTCharacteristic {
            try await link.characteristic(attribute.uuid, of: ContractAttribute.service)
        }
        let text = try await characteristic(.text)
        #expect(try await link.read(text) == ContractPeripheral.text)
        let record = try await characteristic(.record)
        for byte in 0..<12 as Range<UInt8> {
            try await link.write([byte], to: record, byte < 3 ? .withResponse : .withoutResponse)
        }
        let second = try await characteristic(.second)
        let values = try await link.notifications(of: second)
        let sent = (0..<20).map { [UInt8($0)] }
        harness.hosted.modify { device in
            device.instructions += sent.map { .send(.second, $0) }
        }
        var iterator = values.makeAsyncIterator()
        for value in sent { #expect(try await iterator.next()?.value == value) }
        await link.disconnect()
        #expect(link.disconnectReason?.kind == .local)
    }

    @Test
    mutating func servicesThatAreNeverKnownDoNotHoldUpTheEnd() async throws {
        quirks.neverResolves = true
        let harness = try await Harness(quirks: quirks)
        let link = try await harness.transport.connect(to: harness.identity)
        let services = Task { try await link.services }
        #expect(try await harness.reaches { $0.link?.waiters.isEmpty == false })
        await link.disconnect()
        let result = await services.result
        #expect(throws: BLEError.self) { try result.get() }
    }

    @Test
    mutating func aLinkThatBreaksBeforeItsServicesAreKnownSaysSo() async throws {
        quirks.dropsBeforeResolved = 1
        let harness = try await Harness(
            quirks: quirks, timing: FakeTiming(resolving: .milliseconds(30)))
        let link = try await harness.transport.connect(to: harness.identity)
        do {
            _ = try await link.services
            Issue.record("there are services")
        } catch {
            #expect(error.kind == .disconnected)
            #expect(error.disconnectReason?.details == "services resolved: no, link: down")
        }
        #expect(harness.fake.quirks.dropsBeforeResolved == 0)
        try await work(harness)
    }

    /// The reason that a newer daemon gives reaches the app.
    @Test mutating func theReasonOfTheEndIsReported() async throws {
        quirks.tellsReasons = true
        let harness = try await Harness(quirks: quirks)
        let link = try await harness.transport.connect(to: harness.identity)
        _ = try await link.services
        harness.fake.loseLink(harness.identity)
        for try await _ in link.events() {}
        let reason = link.disconnectReason
        #expect(reason == DisconnectReason(.outOfReach, details: "Connection timeout"))
    }

    @Test
    mutating func aConnectThatHangsEndsWithTheTimeThatIsAllowed() async throws {
        quirks.connectHangs = true
        let harness = try await Harness(quirks: quirks)
        await #expect(throws: BLEError.self) {
            try await harness.transport.connect(
                to: harness.identity, timeout: .milliseconds(200))
        }
        harness.fake.quirks.connectHangs = false
        try await work(harness)
    }

    @Test
    mutating func aDisconnectWithoutAnAnswerIsOne() async throws {
        quirks.disconnectNeverReplies = true
        let harness = try await Harness(quirks: quirks)
        for _ in 0..<2 { try await work(harness) }
    }

    @Test
    mutating func aLinkThatComesAfterItsCancellationIsEnded() async throws {
        quirks.connectsAfterAll = true
        let harness = try await Harness(
            quirks: quirks, timing: FakeTiming(connecting: .seconds(3600)))
        let found = try await harness.transport.find(
            ScanFilter(services: [ContractAttribute.service]))
        let connecting = Task {
            try await harness.transport.connect(to: found, timeout: .seconds(600))
        }
        #expect(try await eventually { harness.fake.attemptCount == 1 })
        // The attempt under way would take for ever; the link that comes after all, no time.
        harness.fake.timing.connecting = .zero
        #expect(harness.hosted.modify { $0.connections } == 0)
        connecting.cancel()
        let result = await connecting.result
        #expect(throws: (any Error).self) { try result.get() }
        #expect(try await eventually { harness.hosted.modify { $0.connections } == 1 })
        #expect(try await eventually { !harness.hosted.isConnected })
        // Also for the transport, which would take over a link that is at its end.
        #expect(try await eventually { harness.isFree })
        harness.fake.quirks.connectsAfterAll = false
        try await work(harness)
    }

    @Test
    func aDeviceThatIsSilentLosesItsLinkThoughItLingers() async throws {
        let harness = try await Harness(
            timing: FakeTiming(disconnecting: .seconds(1)), answering: LinkContractTests.answering)
        let link = try await harness.transport.connect(to: harness.identity)
        let silent = try await link.characteristic(
            ContractAttribute.silent.uuid, of: ContractAttribute.service)
        do {
            _ = try await link.read(silent)
            Issue.record("it has answered")
        } catch {
            #expect(error.kind == .disconnected)
            #expect(error.disconnectReason?.kind == .noResponse)
        }
    }

    @Test
    mutating func aDeviceWhoseLinkWasShortIsFoundByItsServices() async throws {
        quirks.forgetsUUIDsOfShortLinks = true
        let harness = try await Harness(
            quirks: quirks,
            timing: FakeTiming(resolving: .seconds(3600), disconnecting: .milliseconds(200)))
        let link = try await harness.transport.connect(to: harness.identity)
        await link.disconnect()
        harness.fake.timing.resolving = .zero
        try await work(harness)
    }

    @Test
    mutating func aBatteryThatIsHiddenIsAService() async throws {
        quirks.hidesBatteryService = true
        let harness = try await Harness(quirks: quirks)
        try await work(harness)
    }
}

extension LinkContractTests.Harness {
    var identity: PeripheralIdentity { hosted.identity ?? absentDevice }

    /// Waits until the only link, or attempt, meets the condition.
    func reaches(_ isThere: (LinkMachine) -> Bool) async throws -> Bool {
        try await eventually {
            transport.hub.read { $0.links.contains(where: isThere) }
        }
    }

    /// `true` if no state of a link is left, as far as the transport knows.
    var isFree: Bool {
        transport.hub.read { session in
            session.links.entries.isEmpty
                && session.mirror.devices.values.allSatisfy { !$0.isConnected }
        }
    }
}
