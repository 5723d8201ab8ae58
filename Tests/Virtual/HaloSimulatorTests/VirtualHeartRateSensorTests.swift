import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The Heart Rate service of a virtual strap.
@Suite(.passesTime) struct VirtualHeartRateSensorTests {
    private static func strap(
        _ rate: UInt16 = 60, _ change: (inout VirtualHeartRateSensorOptions) -> Void = { _ in }
    ) -> VirtualHeartRateSensor {
        var options = VirtualHeartRateSensorOptions()
        change(&options)
        return VirtualHeartRateSensor(beatsPerMinute: rate, options: options)
    }

    @Test func measuresOnceASecondWhileSomebodyIsSubscribed() throws {
        var probe = PeripheralProbe(Self.strap())
        #expect(probe.wake == nil)
        probe.handle(.connected)
        probe.advance(by: .seconds(5))
        #expect(probe.sent.isEmpty)
        try probe.subscribe(CharacteristicCatalog.heartRateMeasurement)
        #expect(probe.device.isMeasuring)
        probe.advance(by: .milliseconds(3500))
        #expect(probe.sent.map(\.moment.microseconds) == [6_000_000, 7_000_000, 8_000_000])
        try probe.subscribe(CharacteristicCatalog.heartRateMeasurement, isOn: false)
        probe.advance(by: .seconds(5))
        #expect(probe.sent.count == 3)
        #expect(probe.wake == nil)
    }

    @Test func fallsSilentWhenTheCentralLeaves() throws {
        var probe = try StrapProbe.measuring(Self.strap())
        probe.advance(by: .seconds(2))
        probe.handle(.disconnected)
        #expect(probe.wake == nil)
        probe.handle(.connected)
        probe.advance(by: .seconds(5))
        #expect(probe.sent.count == 2)
    }

    @Test(arguments: [1, 30, 60, 200, 255])
    func sendsARateOfOneByteInOne(rate: UInt16) throws {
        var probe = try StrapProbe.measuring(Self.strap(rate))
        let first = try #require(try probe.measurements(for: .seconds(1)).first)
        #expect(first.width == .oneByte)
        #expect(first.beatsPerMinute == rate)
    }

    @Test(arguments: [60, 255, 256, 300])
    func sendsARateInTwoBytesWhereThatIsAskedForOrNeeded(rate: UInt16) throws {
        var probe = try StrapProbe.measuring(Self.strap(rate) { $0.width = .twoBytes })
        let wide = try #require(try probe.measurements(for: .seconds(1)).first)
        #expect(wide.width == .twoBytes)
        #expect(wide.beatsPerMinute == rate)
        var narrow = try StrapProbe.measuring(Self.strap(rate) { $0.width = .oneByte })
        let measurement = try #require(try narrow.measurements(for: .seconds(1)).first)
        #expect(measurement.width == (rate > 255 ? .twoBytes : .oneByte))
        #expect(measurement.beatsPerMinute == rate)
    }

    @Test func tellsWhetherItTouchesTheSkin() throws {
        var probe = try StrapProbe.measuring(Self.strap())
        #expect(try probe.measurements(for: .seconds(2)).allSatisfy { $0.contact == .detected })
        probe.modify { $0.takeOff() }
        #expect(!probe.device.isWorn)
        let off = try probe.measurements(for: .seconds(3))
        #expect(off.count == 3)
        #expect(off.allSatisfy { $0.contact == .notDetected && $0.rrIntervals.isEmpty })
        probe.modify { $0.putOn() }
        #expect(try probe.measurements(for: .seconds(2)).allSatisfy { $0.contact == .detected })
    }

    @Test func saysNothingOfContactIfItCannotTell() throws {
        var probe = try StrapProbe.measuring(Self.strap { $0.reportsContact = false })
        probe.advance(by: .seconds(2))
        probe.modify { $0.takeOff() }
        let all = try probe.measurements(for: .seconds(2))
        #expect(all.count == 4)
        #expect(all.allSatisfy { $0.contact == .notSupported })
    }

    @Test func reportsZeroWithoutContact() throws {
        var probe = try StrapProbe.measuring(Self.strap(77))
        probe.advance(by: .seconds(2))
        probe.modify { $0.takeOff() }
        let all = try probe.measurements(for: .seconds(2))
        #expect(all.map(\.beatsPerMinute) == [77, 77, 0, 0])
    }

    @Test func repeatsTheLastRateWithoutContactIfToldSo() throws {
        var probe = try StrapProbe.measuring(
            Self.strap(77) { $0.reportsZeroWithoutContact = false })
        probe.advance(by: .seconds(2))
        probe.modify { $0.takeOff() }
        let all = try probe.measurements(for: .seconds(2))
        #expect(all.map(\.beatsPerMinute) == [77, 77, 77, 77])
        #expect(probe.device.lastBeatsPerMinute == 77)
    }

    @Test func sendsEnergyInEveryTenthMeasurement() throws {
        var probe = try StrapProbe.measuring(Self.strap(120))
        let all = try probe.measurements(for: .seconds(30))
        let places = all.indices.filter { all[$0].energyKilojoules != nil }
        #expect(places == [9, 19, 29])
        let energies = all.compactMap(\.energyKilojoules)
        // About 0.68 kJ a second at 120 beats per minute.
        #expect(energies == [6, 13, 20])
    }

    @Test func stopsCountingEnergyAtItsEnd() throws {
        var probe = try StrapProbe.measuring(Self.strap(180))
        probe.modify { $0.setEnergy(kilojoules: .max - 3) }
        let energies = try probe.measurements(for: .seconds(30)).compactMap(\.energyKilojoules)
        #expect(energies == [.max, .max, .max])
    }

    @Test func spendsNoEnergyWhileItIsOff() throws {
        var probe = try StrapProbe.measuring(Self.strap(180))
        probe.advance(by: .seconds(20))
        let worn = probe.device.energyKilojoules
        probe.modify { $0.takeOff() }
        probe.advance(by: .seconds(100))
        #expect(worn > 0)
        #expect(probe.device.energyKilojoules == worn)
    }

    @Test func sendsNoEnergyIfItDoesNotCountAny() throws {
        var probe = try StrapProbe.measuring(Self.strap(120) { $0.countsEnergy = false })
        let all = try probe.measurements(for: .seconds(30))
        #expect(all.allSatisfy { $0.energyKilojoules == nil })
    }

    @Test func sendsEveryCombinationOfFlags() throws {
        var flags: Set<UInt8> = []
        for choice in UInt8(0)..<32 {
            let strap = Self.strap(90) { options in
                options.width = choice & 1 == 0 ? .oneByte : .twoBytes
                options.reportsContact = choice & 2 != 0
                options.countsEnergy = choice & 4 != 0
                options.measurementsPerEnergy = 1
                options.sendsIntervals = choice & 8 != 0
            }
            var probe = try StrapProbe.measuring(strap)
            // The first beat has no beat before it.
            probe.advance(by: .seconds(3))
            if choice & 16 != 0 { probe.modify { $0.takeOff() } }
            probe.advance(by: .seconds(1))
            flags.insert(try #require(probe.sent.last?.bytes.first))
        }
        // Width × contact (not supported, not detected, detected) × energy × intervals, without
        // intervals where contact is known to be lost.
        #expect(flags.count == 2 * 3 * 2 * 2 - 2 * 2)
        #expect(flags.allSatisfy { $0 & 0xE0 == 0 })
    }

    @Test func sendsNoIntervalsIfItIsToldSo() throws {
        var probe = try StrapProbe.measuring(Self.strap { $0.sendsIntervals = false })
        #expect(try probe.measurements(for: .seconds(9)).allSatisfy { $0.rrIntervals.isEmpty })
    }

    @Test(arguments: [30, 60, 75, 180] as [UInt16])
    func itsIntervalsFollowItsRate(rate: UInt16) throws {
        var probe = try StrapProbe.measuring(Self.strap(rate))
        let intervals = try probe.measurements(for: .seconds(120)).flatMap(\.rrIntervals)
        let expected = 60 * 1024 / Int(rate)
        #expect(abs(intervals.count - 2 * Int(rate)) <= 3)
        #expect(intervals.allSatisfy { abs(Int($0) - expected) <= expected * 4 / 100 + 1 })
        #expect(Set(intervals).count > 5, "no heart beats like a clock")
    }

    @Test func sendsSeveralIntervalsInOneMeasurementTheOldestFirst() throws {
        var slow = try StrapProbe.measuring(Self.strap(180) { $0.interval = .seconds(2) })
        let pieces = try slow.measurements(for: .seconds(8))
        #expect(pieces.count == 4)
        #expect(pieces.dropFirst().allSatisfy { (5...7).contains($0.rrIntervals.count) })
        // The same heart, measured every second, has the same beats in the same order.
        var quick = try StrapProbe.measuring(Self.strap(180) { $0.interval = .seconds(1) })
        let fine = try quick.measurements(for: .seconds(8)).flatMap(\.rrIntervals)
        #expect(Array(pieces.flatMap(\.rrIntervals).prefix(20)) == Array(fine.prefix(20)))
    }

    /// A strap that is put on again waits for a whole beat, independent of the last one.
    @Test func afterItWasOffTheBeatsBeginAnew() throws {
        for wait in [100, 300, 500, 700, 900] {
            var probe = try StrapProbe.measuring(
                Self.strap(60) { $0.interval = .milliseconds(100) })
            probe.advance(by: .milliseconds(3_000 + wait))
            probe.modify { $0.takeOff() }
            probe.advance(by: .milliseconds(200))
            probe.modify { $0.putOn() }
            _ = probe.takeSent(CharacteristicCatalog.heartRateMeasurement)
            // The first beat comes after a second, the next one after another.
            let early = try probe.measurements(for: .milliseconds(1_800))
            #expect(early.allSatisfy { $0.rrIntervals.isEmpty }, "\(wait)")
            let late = try probe.measurements(for: .milliseconds(400))
            #expect(late.flatMap(\.rrIntervals).count == 1, "\(wait)")
        }
    }

    /// After a jump in time, four measurements come late. The others are skipped with their beats.
    @Test(arguments: [true, false])
    func whatWasMissedIsSkipped(isSteady: Bool) throws {
        let probe = try StrapProbe.measuring(
            isSteady ? Self.strap() : VirtualHeartRateSensor(wearer: Wearer(seed: 5)))
        var strap = probe.device
        var counts: [Int] = []
        var intervals: [UInt16] = []
        for seconds in [100, 101, 102, 103] {
            var effects = PeripheralEffects()
            strap.handle(.woken, at: probe.now + .seconds(seconds), into: &effects)
            counts.append(0)
            for case .notify(_, let bytes) in effects.all {
                counts[counts.count - 1] += 1
                intervals += try HeartRateMeasurement(decoding: bytes).rrIntervals
            }
        }
        #expect(counts == [4, 1, 1, 1])
        #expect(intervals.allSatisfy { $0 <= 2560 } && intervals.count < 30)
    }

    @Test func anEmptyBatteryStaysEmpty() throws {
        for life in [1, 7, 99, 1000, 2999] {
            var probe = try StrapProbe.measuring(
                Self.strap { $0.batteryLife = .milliseconds(life) })
            probe.advance(by: .seconds(3))
            #expect(probe.device.batteryPercent == 0)
        }
    }

    /// After the charge is set, a percent lasts a hundredth of the battery's life.
    @Test func aPercentThatIsSetLastsAsLongAsAnother() throws {
        var probe = try StrapProbe.measuring(Self.strap { $0.batteryLife = .seconds(1000) })
        probe.advance(by: .seconds(9))
        #expect(probe.device.batteryPercent == 100)
        probe.modify { $0.setBattery(percent: 50) }
        probe.advance(by: .seconds(9))
        #expect(probe.device.batteryPercent == 50)
        probe.advance(by: .seconds(1))
        #expect(probe.device.batteryPercent == 49)
        #expect(VirtualHeartRateSensorOptions().batteryLife == .seconds(1_440_000))
    }

    @Test func looksTheSameForTheSameSeed() throws {
        func sent(_ seed: UInt64) throws -> [[UInt8]] {
            let strap = VirtualHeartRateSensor(beatsPerMinute: 64, seed: seed)
            var probe = try StrapProbe.measuring(strap)
            probe.advance(by: .seconds(60))
            return probe.sent.map(\.bytes)
        }
        #expect(try sent(1) == sent(1))
        #expect(try sent(1) != sent(2))
    }
}
