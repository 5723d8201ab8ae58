import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Exact moments, changes from outside, and their consequences.
@Suite(.passesTime) struct VirtualRingEdgeTests {
    @Test(arguments: [-90_000, -3600, -1, 1, 7200, 90_000])
    func aClockThatIsShiftedShowsIt(seconds: Int) {
        var bench = RingBench.connected(.r12, days: 1)
        let before = bench.ring.time
        bench.modify { $0.shiftClock(bySeconds: seconds) }
        #expect(bench.ring.time == before.advanced(bySeconds: seconds))
        bench.advance(by: .seconds(60))
        bench.handle(.woken)
        #expect(bench.ring.time == before.advanced(bySeconds: seconds + 60))
        // The memory counts by the ring's own clock.
        #expect(bench.ring.history.now == bench.ring.time)
        #expect(bench.ring.history.wearerSecondsAhead == Int64(-seconds))
    }

    /// Also while the ring is off, a shift changes nothing but the distance of the two clocks.
    @Test func theClockOfARingThatIsOffCanBeShifted() {
        var bench = RingBench(VirtualRing(.r12, days: 1))
        bench.modify { $0.setBattery(percent: 0) }
        bench.jump(to: bench.now + .seconds(86_400))
        bench.modify { $0.shiftClock(bySeconds: 3600) }
        bench.modify { $0.dock() }
        #expect(bench.ring.history.now == bench.ring.time)
        #expect(bench.ring.history.wearerSecondsAhead == -3600)
    }

    /// Nothing is stored after the end of the clock, so nothing is awaited.
    @Test func aClockAtItsEndWakesNobody() {
        var bench = RingBench.connected(.r12, days: 0)
        bench.modify { $0.shiftClock(bySeconds: .max) }
        #expect(bench.ring.time.secondsSince1970 == .max)
        let wakings = bench.wakings
        bench.advance(by: .seconds(60))
        #expect(bench.wakings < wakings + 100)
    }

    @Test(arguments: 0...3)
    func aRingThatWasNeverSetCountsFromTheYear2000(days: Int) {
        let bench = RingBench(
            VirtualRing(.r12, days: days, options: VirtualRingOptions(clock: .factory)))
        let first = CivilDateTime(secondsSince1970: 946_684_800)
        #expect(bench.ring.time == first.advanced(bySeconds: days * 86_400))
        #expect(bench.ring.history.heartRates(of: first.date) != nil)
    }

    @Test func nobodyWritesToARingThatNobodyIsConnectedTo() {
        var bench = RingBench(VirtualRing(.r12, days: 0))
        bench.write(
            Array(Battery.Request().frame.bytes), to: RingServices.uartWrite, withResponse: true)
        #expect(bench.answers.values.contains(.refuse(.unlikely, ResponseToken(1))))
        bench.advance(by: .seconds(3))
        bench.connect()
        bench.advance(by: .seconds(3))
        #expect(bench.takeFrames().filter { $0.opcode == Battery.opcode } == [])
    }

    /// An incomplete request is kept for four seconds after its last piece.
    @Test(arguments: [(3_999, true), (4_000, true), (4_001, false)])
    func halfARequestIsGivenUp(milliseconds: Int, isAnswered: Bool) {
        var bench = RingBench.connected(.r12, days: 1)
        let bytes = Sleep.Request.allNights.frame.bytes
        for byte in bytes.dropLast(2) {
            bench.write([byte], to: RingServices.bigDataWrite)
            bench.advance(by: .milliseconds(100))
        }
        bench.write([bytes[bytes.count - 2]], to: RingServices.bigDataWrite)
        bench.advance(by: .milliseconds(milliseconds))
        bench.write(bytes.suffix(1), to: RingServices.bigDataWrite)
        bench.advance(by: .seconds(3))
        #expect(bench.takeRecords().isEmpty != isAnswered)
    }

    @Test(arguments: [BlinkLight.Request().frame, FindDevice.Request().frame])
    func itIsLitUntilTheMomentItself(_ request: Frame) {
        var bench = RingBench.connected(.r12, days: 0)
        bench.send(request)
        while !bench.ring.isLit, bench.now < .origin + .seconds(2) {
            bench.advance(by: .milliseconds(1))
            bench.handle(.changed)
        }
        #expect(bench.ring.isLit)
        let begin = bench.now
        while bench.ring.isLit, bench.now < .origin + .seconds(60) {
            bench.advance(by: .milliseconds(1))
            bench.handle(.changed)
        }
        let length = bench.now.duration(since: begin)
        #expect(length == .seconds(2) || length == .seconds(10))
    }

    /// A connection draws current from its first moment on.
    @Test func aConnectionTakesItsShareOfTheBattery() {
        var percents: [Int] = []
        for connects in [false, true] {
            var bench = RingBench(VirtualRing(.r12, days: 0))
            if connects { bench.connect(subscribing: false) }
            bench.jump(to: .origin + .seconds(48 * 3600))
            bench.handle(.changed)
            percents.append(bench.ring.batteryPercent)
        }
        #expect(percents[1] < percents[0] - 5)
    }

    /// Temperature is measured if it is switched on, by rings with a sensor.
    @Test func temperaturesAreThoseOfASwitchAndASensor() throws {
        func warmths(_ profile: RingProfile, _ isOn: Bool) throws -> Int {
            var bench = RingBench.connected(profile, days: 0)
            _ = bench.ask(TemperatureSetting.Request.write(.temperature, isOn: isOn))
            _ = bench.take()
            bench.advance(by: .seconds(2 * 3600))
            return try bench.takeFrames().filter { $0.opcode == RingNotification.opcode }
                .map { try RingNotification.Reply(decoding: $0).content.kind }
                .count { $0 == Reported(.temperatureStored) }
        }
        #expect(try warmths(.r10, true) == 4)
        #expect(try warmths(.r10, false) == 0)
        #expect(try warmths(.r12, true) == 0)
        #expect(try warmths(.r12, false) == 0)
    }
}
