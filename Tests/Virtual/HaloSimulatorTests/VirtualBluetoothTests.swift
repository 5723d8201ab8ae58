import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// A backend whose devices live in this process.
@Suite(.passesTime) struct VirtualBluetoothTests {
    private let air = VirtualBluetooth(seed: 1)

    @Test func aLinkIsMadeAndReadWithoutWaiting() async throws {
        let air = VirtualBluetooth(seed: 7)
        let placed = air.add(AirGadget())
        let link = try await air.openLink(to: placed.identity)
        let services = try await link.services(air.time)
        #expect(services == AirGadget().services)
        #expect(try await link.readValue(AirGadget.readable, air.time) == [1, 2, 3])
        #expect(placed.isConnected)
    }

    @Test func aNightsSleepTakesNoTime() async throws {
        let air = VirtualBluetooth()
        let before = air.clock.now
        try await air.clock.sleep(for: .seconds(8 * 3_600))
        #expect(before.duration(to: air.clock.now) == .seconds(8 * 3_600))
        #expect(air.time.wallClock().local.time.description == "17:00:00")
    }

    @Test func nothingIsHeardOfALinkBeforeItIsThere() async throws {
        var gadget = AirGadget()
        gadget.reaction = { event, _, effects in
            if event == .connected { effects.append(.disconnect) }
        }
        let placed = air.add(gadget)
        let told = VirtualProbe<String>()
        try await virtualWait(air.time) {
            (done: @escaping @Sendable (Result<Void, BLEError>) -> Void) in
            _ = air.openLink(
                to: placed.identity,
                events: { event in
                    told.add("\(event)")
                    if case .disconnected = event { done(.success(())) }
                },
                completion: { _ in told.add("open") })
        }
        #expect(told.values.first == "open")
        #expect(told.values.count >= 2)
    }

    @Test func centralsShareOneAir() async throws {
        let phone = air.central(named: "phone")
        let placed = air.add(AirGadget())
        let link = try await phone.openLink(to: placed.identity)
        // The device is connected: a second attempt waits until it is free.
        let second = VirtualProbe<Bool>()
        _ = air.openLink(to: placed.identity, events: { _ in }) { result in
            second.add((try? result.get()) != nil)
        }
        try await air.clock.sleep(for: .seconds(30))
        #expect(second.values == [])
        link.disconnect()
        try await air.clock.sleep(for: .seconds(2))
        #expect(second.values == [true])
        #expect(phone.name == "phone")
    }

    @Test func aCancelledAttemptIsAnsweredOnce() async throws {
        let air = VirtualBluetooth(seed: 1, mode: .manual)
        let placed = air.add(AirGadget())
        let ends = VirtualProbe<BLEError.Kind?>()
        let attempt = air.openLink(to: placed.identity, events: { _ in }) { result in
            if case .failure(let error) = result { ends.add(error.kind) } else { ends.add(nil) }
        }
        attempt.cancel()
        attempt.cancel()
        air.advance(by: .seconds(5))
        #expect(ends.values == [.cancelled])
        #expect(!placed.isConnected)
    }

    @Test func theAdapterTellsItsChangesAndTakesLinksWithIt() async throws {
        let phone = air.central(named: "phone")
        let placed = air.add(AirGadget())
        let ends = VirtualProbe<LinkEvent>()
        _ = try await air.openLink(to: placed.identity) { event in
            if case .disconnected = event { ends.add(event) }
        }
        let states = VirtualProbe<AdapterState>()
        let observation = air.observeAdapter { states.add($0) }
        air.setAdapterState(.poweredOff)
        air.setAdapterState(.poweredOff)
        #expect(air.adapterState == .poweredOff)
        #expect(phone.adapterState == .poweredOn)
        #expect(ends.values == [.disconnected(DisconnectReason(.adapterGone))])
        let scans = VirtualProbe<BLEError.Kind>()
        let scan = air.startScan(.all) { result in
            if case .failure(let error) = result { scans.add(error.kind) }
        }
        #expect(scans.values == [.bluetoothOff])
        scan.cancel()
        air.setAdapterState(.poweredOn)
        observation.cancel()
        air.setAdapterState(.unauthorized)
        #expect(states.values == [.poweredOff, .poweredOn])
    }

    @Test func aScanEndsWhenItIsCancelled() {
        let air = VirtualBluetooth(seed: 1, mode: .manual)
        air.add(AirGadget())
        let heard = VirtualProbe<PeripheralIdentity>()
        let scan = air.startScan(ScanFilter(reportsDuplicates: true)) { result in
            if case .success(let discovery) = result { heard.add(discovery.identity) }
        }
        air.advance(by: .seconds(1))
        let count = heard.values.count
        #expect(8...10 ~= count)
        scan.cancel()
        air.advance(by: .seconds(1))
        #expect(heard.values.count == count)
        #expect(air.nextEventTime == nil)
    }

    @Test(arguments: ["", "virtual-", "virtual-7", "virtual--1", "virtual-01", "AA:BB"])
    func aDeviceThatIsNotThereIsNotFound(_ text: String) async {
        air.add(AirGadget())
        let error = await #expect(throws: BLEError.self) {
            _ = try await air.openLink(to: PeripheralIdentity(text))
        }
        #expect(error?.kind == .notFound)
    }

    @Test func aPlacedDeviceStaysWithinReach() async throws {
        let placed = air.add(AirGadget(), at: AirPlacement(distanceCentimetres: 100))
        let lost = VirtualProbe<DisconnectReason>()
        let link = try await air.openLink(to: placed.identity) { event in
            if case .disconnected(let reason) = event { lost.add(reason) }
        }
        #expect(placed.modify { $0.value = [4] } != nil)
        #expect(try await link.readValue(AirGadget.readable, air.time) == [4])
        #expect(placed.state?.events.last?.event != .changed)
        placed.move(toCentimetres: 10_000)
        try await air.clock.sleep(for: .seconds(2))
        placed.move(toCentimetres: 100)
        placed.moveAway()
        placed.comeBack()
        #expect(try await link.readValue(AirGadget.readable, air.time) == [4])
        #expect(lost.values == [])
        placed.remove()
        try await air.clock.sleep(for: .seconds(10))
        #expect(lost.values.map(\.kind) == [.outOfReach])
        #expect(placed.state == nil)
        #expect(placed.modify { _ in } == nil)
        placed.remove()
    }

    /// The place of a removed device is empty: it takes nobody's timers.
    @Test(arguments: [0, 1, 3]) func nothingIsFoundAfterADeviceWasRemoved(others: Int) async throws
    {
        let removed = (0..<2).map { _ in air.add(AirGadget()) }
        let kept = (0..<others).map { _ in air.add(AirGadget()) }
        for device in removed { device.remove() }
        let before = air.time.now()
        for _ in 0..<3 {
            let found = try? await air.find(timeout: .seconds(1))
            #expect(found.map { kept.map(\.identity).contains($0.identity) } ?? (others == 0))
        }
        #expect(air.time.now().duration(since: before) < .seconds(10))
        let late = air.add(AirGadget())
        let link = try await air.openLink(to: late.identity)
        _ = try await link.readValue(AirGadget.readable, air.time)
    }

    @Test func whatGoesWrongAndWhatHappenedCanBeAsked() async throws {
        let plan = FaultPlan(rules: [FaultRule(.refusal(.unlikely), .read())])
        let air = VirtualBluetooth(seed: 1, startingAt: AirBench.start.local, faults: plan)
        air.keepTrace(10)
        let placed = air.add(AirGadget())
        let link = try await air.openLink(to: placed.identity)
        await #expect(throws: BLEError.self) {
            _ = try await link.readValue(AirGadget.readable, air.time)
        }
        #expect(air.faultLog.records.count == 1)
        #expect(air.trace.entries.map(\.text).contains("connected"))
        #expect(air.losses == AirLosses())
    }

    @Test func theSameSeedGivesTheSameMoments() async throws {
        var stories: Set<[String]> = []
        for seed: UInt64 in [5, 5, 5, 6] {
            let air = VirtualBluetooth(seed: seed)
            let placed = air.add(AirGadget())
            let link = try await air.openLink(to: placed.identity)
            var story: [String] = []
            for number in 0..<20 {
                try await link.writeValue(
                    [UInt8(number)], to: AirGadget.writable, .withoutResponse, air.time)
                _ = try await link.readValue(AirGadget.readable, air.time)
                story.append("\(air.time.now())")
            }
            story += placed.state?.events.map { "\($0)" } ?? []
            stories.insert(story)
        }
        #expect(stories.count == 2)
    }

    @Test func aWaitThatNeverEndsLeavesTheCallerItsThread() async {
        var gadget = AirGadget()
        gadget.reaction = { _, now, effects in effects.wake(at: now + .seconds(3_600)) }
        air.add(gadget)
        let before = air.time.now()
        // Returns, though no task waits for an event to come.
        air.time.waiting(.begins)
        #expect(air.time.now() > before)
        air.time.waiting(.ends)
    }
}
