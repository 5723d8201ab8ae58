import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A virtual strap that plays a script.
@Suite(.passesTime) struct VirtualHeartRateSensorScriptTests {
    private static func script(_ rates: [UInt16]) throws -> [HeartRateMeasurement] {
        try rates.map { try HeartRateMeasurement(beatsPerMinute: $0) }
    }

    @Test func sendsAScriptAsItIsWrittenAndThenNothing() throws {
        let script = [
            try HeartRateMeasurement(beatsPerMinute: 72, width: .twoBytes),
            try HeartRateMeasurement(
                beatsPerMinute: 0, contact: .notDetected, energyKilojoules: .max),
            try HeartRateMeasurement(
                beatsPerMinute: 300, contact: .detected, energyKilojoules: 0,
                rrIntervals: [0, 1, .max]),
        ]
        var probe = try StrapProbe.measuring(VirtualHeartRateSensor(playing: script))
        #expect(try probe.measurements(for: .seconds(9)) == script)
    }

    @Test func mayRepeatAScript() throws {
        let strap = VirtualHeartRateSensor(playing: try Self.script([60, 61]), repeats: true)
        var probe = try StrapProbe.measuring(strap)
        let rates = try probe.measurements(for: .seconds(5)).map(\.beatsPerMinute)
        #expect(rates == [60, 61, 60, 61, 60])
    }

    @Test func survivesAnEmptyScript() throws {
        let strap = VirtualHeartRateSensor(playing: [], repeats: true)
        var probe = try StrapProbe.measuring(strap)
        #expect(try probe.measurements(for: .seconds(3)).isEmpty)
    }

    @Test func changesToAScriptAndBackToAHeart() throws {
        let strap = VirtualHeartRateSensor(beatsPerMinute: 60)
        var probe = try StrapProbe.measuring(strap)
        probe.advance(by: .seconds(1))
        let script = try Self.script([100, 101])
        probe.modify { $0.play(script) }
        probe.advance(by: .seconds(2))
        probe.modify { $0.beat(atBeatsPerMinute: 70) }
        let rates = try probe.measurements(for: .seconds(1)).map(\.beatsPerMinute)
        #expect(rates == [60, 100, 101, 70])
    }

    @Test(arguments: [20, 23, 50, 244])
    func cutsLongMeasurementsToWhatTheLinkCanCarry(length: Int) throws {
        let intervals = (0..<100).map { UInt16($0) }
        let long = try HeartRateMeasurement(
            beatsPerMinute: 60, energyKilojoules: 7, rrIntervals: intervals)
        var probe = try StrapProbe.measuring(VirtualHeartRateSensor(playing: [long]))
        if length != 20 { probe.handle(.maximumLength(length)) }
        probe.advance(by: .seconds(1))
        #expect(probe.sent.allSatisfy { $0.bytes.count <= length })
        #expect(probe.sent.dropLast().allSatisfy { $0.bytes.count > length - 2 }, "cut too short")
        let pieces = try probe.sent.map { try HeartRateMeasurement(decoding: $0.bytes) }
        #expect(pieces.flatMap(\.rrIntervals) == intervals)
        #expect(pieces.compactMap(\.energyKilojoules) == [7])
    }

    @Test func holdsAsManyIntervalsAsAnMTUOf23Allows() throws {
        func longest(_ width: HeartRateMeasurement.Width, energy: UInt16?) throws -> Int? {
            let long = try HeartRateMeasurement(
                beatsPerMinute: 60, width: width, energyKilojoules: energy,
                rrIntervals: Array(repeating: 1024, count: 30))
            var probe = try StrapProbe.measuring(VirtualHeartRateSensor(playing: [long]))
            return try probe.measurements(for: .seconds(1)).first?.rrIntervals.count
        }
        #expect(try longest(.oneByte, energy: nil) == 9)
        #expect(try longest(.twoBytes, energy: nil) == 8)
        #expect(try longest(.oneByte, energy: 1) == 8)
        #expect(try longest(.twoBytes, energy: 1) == 7)
    }

    @Test func sendsAnyBytesWhenTold() throws {
        var probe = try StrapProbe.measuring(VirtualHeartRateSensor(playing: []))
        probe.modify { strap in
            strap.send([0x10, 60, 1])
            strap.send([])
        }
        #expect(probe.sent.map(\.bytes) == [[0x10, 60, 1], []])
    }

    @Test func forgetsBytesThatNobodyWants() throws {
        var probe = PeripheralProbe(VirtualHeartRateSensor(playing: []))
        probe.handle(.connected)
        probe.modify { $0.send([1]) }
        try probe.subscribe(CharacteristicCatalog.heartRateMeasurement)
        #expect(probe.sent.isEmpty)
        probe.modify { strap in for _ in 0..<1000 { strap.send([2]) } }
        #expect(probe.sent.count == 256)
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max)])
    func survivesAnyIntervalAndLife(interval: Duration) throws {
        var options = VirtualHeartRateSensorOptions()
        options.interval = interval
        options.batteryLife = interval
        options.measurementsPerEnergy = 0
        let strap = VirtualHeartRateSensor(beatsPerMinute: .max, options: options)
        var probe = try StrapProbe.measuring(strap)
        probe.advance(by: interval > .zero ? .seconds(86_400) : .seconds(2))
        #expect(!probe.sent.isEmpty)
    }

    @Test func leavesOutWhatALongSleepHasMissed() throws {
        var probe = try StrapProbe.measuring(VirtualHeartRateSensor(beatsPerMinute: 60))
        let wake = try #require(probe.wake)
        var strap = probe.device
        var effects = PeripheralEffects()
        strap.handle(.woken, at: wake + .seconds(3600), into: &effects)
        #expect(effects.all.count { if case .notify = $0 { true } else { false } } == 4)
        probe.advance(by: .seconds(1))
        #expect(probe.sent.count == 1)
    }
}
