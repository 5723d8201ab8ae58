import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

@Suite(.passesTime) struct RingConnectingTests {
    @Test(arguments: RingProfile.all)
    func everyKindOfRingIsFoundAndRecognised(_ profile: RingProfile) async throws {
        let bench = try await RingBench.connected(profile)
        #expect(bench.ring.identity == bench.worn.identity)
        let firmware = try FirmwareVersion(parsing: profile.firmware)
        #expect(bench.ring.firmware == firmware)
        #expect(bench.ring.hardware?.description == profile.hardware)
        #expect(
            bench.ring.dialect
                == Dialect(firmware: firmware, capabilities: bench.ring.capabilities))
        #expect(bench.ring.capabilities.stress != nil)
        #expect(bench.ring.connectionState == .connected)
        #expect(try await bench.ring.battery().percent == 80)
    }

    /// One firmware of R08 has the first service only: what is in records is not supported.
    @Test func aRingWithoutTheSecondServiceIsUsed() async throws {
        let bench = try await RingBench.connected(.r08, days: 2)
        let ring = bench.ring
        #expect(try await ring.log(.heartRate, daysAgo: 0).isEmpty == false)
        #expect(await kind { _ = try await ring.log(.bloodOxygen) } == .notSupported)
        #expect(await kind { _ = try await ring.log(.sleep) } == .notSupported)
        let history = try await ring.history()
        #expect(history.failures.isEmpty && !history[.stress].isEmpty)
        #expect(history.unsupported.isSuperset(of: [.bloodOxygen, .sleep, .workouts]))
    }

    /// "Off" is confirmed and ignored, by an owner's report: reading it again shows that.
    @Test func aConfirmedSettingMayBeIgnored() async throws {
        let ring = try await RingBench.connected(.r08).ring
        try await ring.change(.heartRateLog) {
            $0.set(\.isOn, to: false)
            $0.set(\.interval, to: .seconds(600))
        }
        let logging = try await ring.setting(.heartRateLog)
        #expect(logging.isOn && logging.interval == .seconds(600))
    }

    /// A new ring has nothing stored, and says so for every day that it is asked for.
    @Test(arguments: RingProfile.all)
    func aNewRingIsConnectedSoon(_ profile: RingProfile) async throws {
        let air = VirtualBluetooth()
        let new = VirtualRing(profile, days: 0, options: VirtualRingOptions(isWorn: false))
        let worn = air.add(new)
        let duration = try await air.duration {
            let ring = try await Ring.connect(to: worn.identity, over: air)
            #expect(ring.clock.wasSet)
        }
        // With a slow link, each of some thirty requests takes up to three quarters of a second.
        #expect(duration < (profile.quirks.contains(.slowsTheLink) ? .seconds(24) : .seconds(8)))
    }

    @Test func otherDevicesAreNotTakenForRings() async throws {
        let air = VirtualBluetooth()
        air.add(VirtualHeartRateSensor(location: .chest, beatsPerMinute: 60))
        #expect(await kind { _ = try await Ring.find(over: air) } == .notFound)
        #expect(air.time.now() >= Moment.origin + .seconds(20))
        let worn = air.add(VirtualRing(.r12))
        #expect(try await Ring.find(over: air).identity == worn.identity)
    }

    @Test func aDeviceOfAnotherKindIsRefusedAfterConnecting() async throws {
        let air = VirtualBluetooth()
        let strap = air.add(VirtualHeartRateSensor(location: .chest, beatsPerMinute: 60))
        do {
            _ = try await Ring.connect(to: strap.identity, over: air)
            Issue.record("a strap is no ring")
        } catch {
            #expect(error.kind == .wrongDevice)
            #expect(error.bleError?.uuid == RingServices.uart)
            #expect(!error.isTransient)
        }
        try await air.clock.sleep(for: .seconds(1))
        #expect(!strap.isConnected)
    }

    @Test func aRingHasOneClientAtATime() async throws {
        let bench = try await RingBench.connected()
        let second = await kind {
            var options = RingOptions()
            options.connectTimeout = .seconds(5)
            _ = try await Ring.connect(
                to: bench.worn.identity, over: bench.air.central(named: "second"), options: options)
        }
        #expect(second == .timedOut)
        #expect(try await bench.ring.battery().percent == 80)
        await bench.ring.disconnect()
        _ = try await Ring.connect(
            to: bench.worn.identity, over: bench.air.central(named: "third"))
    }

    @Test func noRequestIsWrittenBeforeRepliesCanCome() async throws {
        let traces = Box<[LinkTrace]>([])
        var options = RingOptions()
        options.observer = { trace in traces.change { $0.append(trace) } }
        _ = try await RingBench.connected(options: options)
        let operations = traces.value.filter { $0.kind == .request }.compactMap(\.operation)
        let firstWrite = try #require(operations.firstIndex(of: .write))
        #expect(operations[..<firstWrite].filter { $0 == .subscribe }.count == 2)
        #expect(!operations[firstWrite...].contains(.subscribe))
    }

    @Test func withRingDisconnectsAfterAReturnAndAfterAnError() async throws {
        struct Mishap: Error {}
        let air = VirtualBluetooth()
        let worn = air.add(VirtualRing(.r10))
        let percent = try await withRing(over: air) { ring in
            try await ring.battery().percent
        }
        #expect(percent == 80)
        #expect(!worn.isConnected)
        await #expect(throws: Mishap.self) {
            try await withRing(worn.identity, over: air) { _ in throw Mishap() }
        }
        try await air.clock.sleep(for: .seconds(1))
        #expect(!worn.isConnected)
    }

    @Test func afterDisconnectingEverythingEndsAtOnce() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        let clocks = ring.clocks
        await ring.disconnect()
        await ring.disconnect()
        #expect(!bench.worn.isConnected)
        let time = bench.air.time.now()
        #expect(await kind { _ = try await ring.battery() } == .disconnected)
        #expect(await kind { _ = try await ring.history() } == .disconnected)
        #expect(await kind { _ = try await ring.setting(.heartRateLog) } == .disconnected)
        #expect(await kind { _ = try await ring.log(.sleep) } == .disconnected)
        #expect(await kind { _ = try await ring.deviceInformation() } == .disconnected)
        #expect(await kind { _ = try await ring.startWorkout(.run) } == .disconnected)
        #expect(await kind { try await ring.findMe() } == .disconnected)
        #expect(await kind { try await ring.setClock(.utc) } == .disconnected)
        #expect(ring.clocks == clocks && ring.clock == clocks.last, "no other clock was sent")
        #expect(await kind { try await ring.waitUntilConnected() } == .disconnected)
        #expect(
            await kind { for try await _ in ring.measure(.heartRate) {} } == .disconnected)
        #expect(await kind { for try await _ in ring.rawSensors {} } == .disconnected)
        #expect(await kind { for try await _ in ring.events {} } == .disconnected)
        #expect(await kind { for try await _ in ring.gestures {} } == .disconnected)
        #expect(bench.air.time.now() == time)
        var states: [ConnectionState] = []
        for try await state in ring.connectionStates { states.append(state) }
        #expect(states.count == 1)
        guard case .disconnected(let error) = states.first else {
            Issue.record("\(states)")
            return
        }
        #expect(error.disconnectReason?.kind == .local)
    }

    @Test func loopsEndWhenTheProgramDisconnects() async throws {
        let bench = try await RingBench.connected()
        let ring = bench.ring
        var events = ring.events.makeAsyncIterator()
        var reports = ring.reports(of: .heartRate).makeAsyncIterator()
        var late = ring.reports(of: .stress).makeAsyncIterator()
        #expect(try await reports.next() != nil)
        await ring.disconnect()
        while try await reports.next() != nil {}
        #expect(await kind { while try await late.next() != nil {} } == .disconnected)
        while try await events.next() != nil {}
    }
}
