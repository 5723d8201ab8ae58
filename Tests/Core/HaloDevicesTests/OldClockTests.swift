import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A clock that shows another day is set only after an app has kept what it has stored.
@Suite(.passesTime) struct OldClockTests {
    private static let behind = VirtualRingOptions(clock: .off(seconds: -5 * 86_400))

    private static func world(
        faults: FaultPlan = .none
    ) -> (air: VirtualBluetooth, worn: Placed<VirtualRing>) {
        let air = VirtualBluetooth(
            seed: 7, startingAt: VirtualBluetooth.defaultStart.advanced(bySeconds: 120),
            faults: faults)
        let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: 3), days: 2, options: behind))
        return (air, worn)
    }

    /// The days by which the ring's clock is behind.
    private static func daysBehind(
        _ worn: Placed<VirtualRing>, in air: VirtualBluetooth
    ) -> Int? {
        worn.state?.time.date.daysAgo(from: air.time.wallClock().local.date)
    }

    @Test func aClockWhoseValuesNobodyKeepsIsLeftAlone() async throws {
        let (air, worn) = Self.world()
        let ring = try await Ring.connect(to: worn.identity, over: air)
        #expect(!ring.clock.wasSet && ring.historyBeforeClockChange == nil)
        #expect(ring.clockShift?.days == 5 && Self.daysBehind(worn, in: air) == 5)
        let history = try await ring.history()
        #expect(history.clockShift?.days == 5 && !history[.heartRate].isEmpty)
        try await ring.setClock()
        #expect(ring.clock.wasSet && ring.clockShift == nil)
        #expect(Self.daysBehind(worn, in: air) == 0)
        await ring.disconnect()
    }

    @Test func theValuesAreKeptBeforeTheClockIsSet() async throws {
        let (air, worn) = Self.world()
        let kept = Box<HistoryBeforeClockChange?>(nil)
        var options = RingOptions()
        options.keepBeforeClockChange = { old in
            #expect(Self.daysBehind(worn, in: air) == 5, "the clock was set before")
            await Task.yield()
            kept.value = old
        }
        let ring = try await Ring.connect(over: air, options: options)
        let old = try #require(kept.value)
        #expect(ring.clock.wasSet && Self.daysBehind(worn, in: air) == 0)
        #expect(old.history == ring.historyBeforeClockChange && !old.history.heartRates.isEmpty)
        #expect(old.ring == worn.identity && old.name == ring.name && old.firmware != nil)
        #expect(old.readAt.local.date == air.time.wallClock().local.date)
        // A program that ends now has a clock in doubt, which a later one knows to be a new one.
        #expect(old.clocks.map(\.wasSet) == [false] && ring.clocks.map(\.wasSet) == [true])
        #expect(old.clocks.last?.shift == ring.clocks.last?.shift)
        await ring.disconnect()
        // The clock is right now, and nothing is left to be kept.
        kept.value = nil
        await (try Ring.connect(over: air, options: options)).disconnect()
        #expect(kept.value == nil)
    }

    @Test func aClockIsLeftAloneIfItsValuesCannotBeKept() async throws {
        let (air, worn) = Self.world()
        var options = RingOptions()
        options.keepBeforeClockChange = { _ in throw CancellationError() }
        let ring = try await Ring.connect(over: air, options: options)
        #expect(!ring.clock.wasSet && Self.daysBehind(worn, in: air) == 5)
        #expect(ring.historyBeforeClockChange?.heartRates.isEmpty == false)
        #expect(try await ring.battery().percent > 0)
        await ring.disconnect()
    }

    /// The function of the app returns after the timeout: the ring is connected by then.
    @Test func aClockIsLeftAloneIfKeepingTakesTooLong() async throws {
        let (air, worn) = Self.world()
        var options = RingOptions()
        options.keepBeforeClockChange = { _ in air.advance(by: .seconds(61)) }
        let ring = try await Ring.connect(over: air, options: options)
        #expect(!ring.clock.wasSet && Self.daysBehind(worn, in: air) == 5)
        #expect(try await ring.battery().percent > 0)
        await ring.disconnect()
    }

    /// The link is lost while the app keeps the values: they are read again, over another link.
    @Test func aLinkThatIsLostWhileValuesAreKeptIsRestored() async throws {
        let (air, worn) = Self.world()
        let calls = Box(0)
        var options = RingOptions()
        options.keepBeforeClockChange = { _ in
            calls.change { $0 += 1 }
            guard calls.value == 1 else { return }
            worn.moveAway()
            air.advance(by: .seconds(10))
            worn.comeBack()
        }
        let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
        #expect(calls.value == 2 && ring.clock.wasSet)
        await ring.disconnect()
    }

    @Test func withoutATaskThatConnectsTheClockIsLeftAlone() async throws {
        let (air, worn) = Self.world()
        let ring = try await Ring.connect(over: air, options: .keeping())
        #expect(ring.clock.wasSet)
        worn.modify { $0.shiftClock(bySeconds: 3 * 86_400) }
        worn.moveAway()
        try await air.clock.sleep(for: .seconds(20))
        worn.comeBack()
        try await ring.waitUntilConnected()
        #expect(Self.daysBehind(worn, in: air) == -3 && ring.clockShift?.days == -3)
        await ring.disconnect()
    }

    // MARK: Lost links

    /// Each value of the preparation in turn is the last one on its link.
    @Test func connectTriesAgainAfterALostLink() async throws {
        var failed: [String] = []
        for packet in 0..<30 {
            let plan = FaultPlan(rules: [FaultRule(.disconnection, .notification(packet))])
            for policy in [ReconnectPolicy.untilConnected, .never] {
                let air = VirtualBluetooth(seed: 7, faults: plan)
                let worn = air.add(VirtualRing(.r10, wearer: Wearer(seed: 3), days: 1))
                var options = RingOptions()
                options.reconnect = policy
                do throws(DeviceError) {
                    let ring = try await Ring.connect(
                        to: worn.identity, over: air, options: options)
                    if !ring.clock.wasSet { failed.append("\(packet): the clock was not set") }
                    await ring.disconnect()
                } catch {
                    if policy != .never || error.kind != .disconnected {
                        failed.append("\(packet), \(policy): \(error)")
                    }
                }
            }
        }
        #expect(failed == [])
    }

    /// A ring whose every link is lost: the time is limited, and the error is that of the link.
    @Test func connectEndsIfEachLinkIsLost() async throws {
        let rules = (0..<100).map { FaultRule(.disconnection, .notification($0)) }
        let air = VirtualBluetooth(seed: 7, faults: FaultPlan(rules: rules))
        let worn = air.add(VirtualRing(.r10, days: 1))
        let time = await air.duration {
            let error = await kind { _ = try await Ring.connect(to: worn.identity, over: air) }
            #expect(error == .disconnected)
        }
        #expect(time > .seconds(10) && time <= .seconds(125))
    }
}
