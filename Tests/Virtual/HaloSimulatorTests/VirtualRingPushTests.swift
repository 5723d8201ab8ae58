import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Unsolicited frames, and sleep.
@Suite(.passesTime) struct VirtualRingPushTests {
    private typealias Push = (time: CivilDateTime, content: RingNotification.Content)

    private static func pushes(_ bench: inout RingBench) throws -> [Push] {
        try bench.take().compactMap { piece in
            let frame = try Frame(decoding: piece.bytes)
            guard frame.opcode == RingNotification.opcode else { return nil }
            let seconds = Int(piece.moment.microseconds / 1_000_000)
            return (
                RingBench.start.advanced(bySeconds: seconds),
                try RingNotification.Reply(decoding: frame).content
            )
        }
    }

    /// The seconds from the beginning of a slot to each push.
    private static func delays(_ pushes: [Push], _ kind: RingNotification.Kind, _ slot: UInt32)
        -> Set<UInt32>
    {
        Set(pushes.filter { $0.content.kind == kind }.map { $0.time.secondsSince1970 % slot })
    }

    @Test func whatIsStoredIsSaidWithTheDelaysObserved() throws {
        var bench = RingBench.connected(.r10, days: 0)
        bench.advance(by: .seconds(4 * 3600))
        let pushes = try Self.pushes(&bench)
        #expect(Self.delays(pushes, .heartRateStored, 300) == [17])
        #expect(Self.delays(pushes, .temperatureStored, 1800) == [11])
        #expect(Self.delays(pushes, .stressStored, 1800) == [53])
        #expect(Self.delays(pushes, .variabilityStored, 3600) == [63])
        #expect(Self.delays(pushes, .bloodOxygenStored, 3600) == [1938])
        #expect(pushes.count { $0.content.kind == .heartRateStored } == 48)
    }

    @Test func nothingIsSaidToWhoDoesNotListen() throws {
        var bench = RingBench(VirtualRing(.r10, days: 0), at: RingBench.start)
        bench.advance(by: .seconds(3600))
        bench.connect(subscribing: false)
        bench.advance(by: .seconds(3600))
        bench.send(Battery.Request().frame)
        bench.advance(by: .seconds(2))
        #expect(bench.take().isEmpty)
        #expect(bench.ring.losses.unsubscribed == 1)
    }

    @Test func stepsAreSaidWhileTheWearerWalks() throws {
        let wearer = Wearer(stepsPerDay: 20_000)
        var bench = RingBench.connected(.r10, wearer: wearer, days: 0)
        bench.advance(by: .seconds(6 * 3600))
        let pushes = try Self.pushes(&bench)
        var steps: [UInt32] = []
        for push in pushes {
            guard case .liveActivity(let activity) = push.content else { continue }
            steps.append(activity.steps.value)
            #expect(wearer.state(at: push.time).stepsPerMinute > 0)
        }
        #expect(steps.count > 100)
        #expect(steps == steps.sorted())
        #expect(zip(steps, steps.dropFirst()).contains { $0 == $1 }, "some are said twice")
        let walk = pushes.filter { $0.content.kind == .liveActivity }
        let gaps = zip(walk, walk.dropFirst()).map {
            $1.time.secondsSince1970 - $0.time.secondsSince1970
        }
        #expect(gaps.sorted()[gaps.count / 2] <= 3)
    }

    @Test func theBatteryIsSaidWhenItChanges() throws {
        var bench = RingBench.connected(.r10, days: 0)
        bench.modify { $0.dock() }
        let docked = try Self.pushes(&bench).last?.content
        #expect(docked == .battery(percent: 80, charging: Reported(.charging)))
        #expect(bench.ring.isDocked && !bench.ring.isWorn)
        bench.advance(by: .seconds(3600))
        let charged = try Self.pushes(&bench).compactMap { push -> UInt8? in
            if case .battery(let percent, _) = push.content { percent } else { nil }
        }
        #expect(charged == Array(81...100))
        bench.modify { $0.putOn() }
        #expect(!bench.ring.isDocked && bench.ring.isWorn)
        let worn = try Self.pushes(&bench).last?.content
        #expect(worn == .battery(percent: 100, charging: Reported(.discharging)))
        // Requests on the way change no value.
        var percents: [UInt8] = []
        for _ in 0..<12 {
            bench.advance(by: .seconds(1800))
            percents += try Self.pushes(&bench).compactMap { push -> UInt8? in
                if case .battery(let percent, _) = push.content { percent } else { nil }
            }
            bench.send(Battery.Request().frame)
        }
        #expect(percents.count > 3 && percents == percents.sorted(by: >))
    }

    @Test func anEmptyRingIsOffUntilItIsCharged() {
        var bench = RingBench.connected(.r10, days: 0)
        bench.modify { $0.setBattery(percent: 1) }
        bench.advance(by: .seconds(2 * 86_400))
        #expect(bench.ring.isPoweredOff && !bench.ring.isConnected)
        #expect(bench.others.contains(.disconnect))
        #expect(bench.others.suffix(2) == [.advertise(nil), .disconnect])
        #expect(bench.others.count { $0 == .advertise(nil) } == 1)
        bench.handle(.disconnected)
        bench.modify { $0.dock() }
        #expect(!bench.ring.isPoweredOff)
        #expect(
            bench.others.last.map { if case .advertise(.some) = $0 { true } else { false } } == true
        )
    }

    @Test func switchedOffItIsGoneUntilItIsCharged() throws {
        var bench = RingBench.connected(.r10)
        bench.send(DangerousPowerOff.Request(knowinglySending: .shutDown).frame)
        bench.advance(by: .seconds(1))
        #expect(bench.take().isEmpty)
        // No central can receive between the two.
        #expect(bench.others.suffix(2) == [.advertise(nil), .disconnect])
        bench.handle(.disconnected)
        #expect(bench.wake == nil)
        bench.jump(to: bench.now + .seconds(3600))
        bench.modify { $0.dock() }
        bench.connect()
        #expect(bench.ring.isConnected)
        #expect(bench.ask(Battery.Request()).count == 1)
        bench.send(DangerousPowerOff.Request(knowinglySending: .reboot).frame)
        bench.advance(by: .seconds(1))
        #expect(bench.ring.isPoweredOff)
        bench.advance(by: .seconds(5))
        #expect(!bench.ring.isPoweredOff)
    }

    @Test func aRingThatRestartsWithAnEmptyBatteryStaysOff() {
        var bench = RingBench.connected(.r10, days: 0)
        bench.send(DangerousPowerOff.Request(knowinglySending: .reboot).frame)
        bench.advance(by: .seconds(1))
        bench.handle(.disconnected)
        bench.modify { $0.setBattery(percent: 0) }
        bench.advance(by: .seconds(5))
        #expect(bench.ring.isPoweredOff && bench.wake == nil)
        #expect(bench.others.last == PeripheralEffect.advertise(nil))
    }

    @Test func withoutACentralItSleepsUntilItsBatteryIsEmpty() throws {
        var bench = RingBench(VirtualRing(.r10, days: 7), at: RingBench.start)
        let wake = try #require(bench.wake)
        #expect(wake.microseconds(since: .origin) > 2 * 86_400 * 1_000_000)
        bench.advance(by: .seconds(86_400))
        #expect(bench.wakings == 0)
        bench.connect()
        let log = bench.ask(HeartRateLog.Request(time: RingBench.start.advanced(bySeconds: 86_400)))
        #expect(log.count == 24)
        var docked = RingBench(
            VirtualRing(.r10, days: 1, options: VirtualRingOptions(isDocked: true)))
        #expect(docked.wake == nil)
        docked.advance(by: .seconds(400 * 86_400))
        docked.connect()
        #expect(docked.ask(Battery.Request()).count == 1)
    }

    @Test func asksForASlowLinkOnRealtekChips() {
        for profile in [RingProfile.r10, .r12, .r03] {
            var bench = RingBench.connected(profile, days: 0)
            bench.advance(by: .milliseconds(2599))
            #expect(!bench.others.contains(Self.slow))
            bench.advance(by: .milliseconds(2))
            #expect(bench.others.last == Self.slow)
        }
        var old = RingBench.connected(.r02, days: 0)
        old.advance(by: .seconds(10))
        #expect(!old.others.contains(Self.slow))
    }

    private static let slow = PeripheralEffect.requestParameters(
        LinkParameters(
            interval: .milliseconds(123), latency: 4, supervisionTimeout: .seconds(5)))

    @Test func advertisesWhatItIs() throws {
        let options = VirtualRingOptions(addressTail: 0x0B12, advertisesShortService: true)
        let bench = RingBench(VirtualRing(.r10, days: 0, options: options))
        guard case .advertise(.some(let advertisement)) = bench.others.first else {
            Issue.record("it does not advertise")
            return
        }
        let response = try #require(advertisement.scanResponse)
        #expect(advertisement.data.fitsLegacy && response.fitsLegacy)
        let device = AdvertisedDevice(advertisement.data, scanResponse: response)
        #expect(device.name?.text == "COLMI R10_0B12")
        let recognition = RingRecognition(device)
        #expect(recognition.classification == .ring)
        #expect(recognition.clues == [.ringName, .ringService, .shortService, .ringCompany])
        #expect(
            VirtualRing(.r10, wearer: Wearer(seed: 1)).name
                != VirtualRing(.r10, wearer: Wearer(seed: 2)).name)
    }
}
