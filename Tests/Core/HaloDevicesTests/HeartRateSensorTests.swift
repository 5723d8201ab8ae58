import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// The values of a heart-rate sensor in an app.
@Suite(.passesTime) struct HeartRateSensorTests {
    private static func script(_ rates: [UInt16]) throws -> [HeartRateMeasurement] {
        try rates.map { try HeartRateMeasurement(beatsPerMinute: $0, contact: .detected) }
    }

    private static func durations(_ intervals: HeartRateMeasurement.RRIntervals) -> [Duration] {
        intervals.map { .seconds(1) * Int($0) / 1024 }
    }

    private static func collect(
        _ count: Int, of sensor: HeartRateSensor
    ) async throws -> [HeartRateSensor.Measurement] {
        var all: [HeartRateSensor.Measurement] = []
        for try await measurement in sensor.measurements {
            all.append(measurement)
            if all.count == count { break }
        }
        return all
    }

    @Test(
        arguments: [
            (nil, 60, true), (true, 60, true), (false, 60, false), (nil, 0, false),
            (true, 0, false),
        ] as [(Bool?, Int, Bool)])
    func isWornWhereThereIsSkinAndAHeart(
        _ isTouchingSkin: Bool?, _ beatsPerMinute: Int, _ isWorn: Bool
    ) {
        let measurement = HeartRateSensor.Measurement(
            beatsPerMinute: beatsPerMinute, isTouchingSkin: isTouchingSkin, moment: .origin,
            time: CivilDateTime(secondsSince1970: 0), secondsFromUTC: 0, beats: [])
        #expect(measurement.isWorn == isWorn)
    }

    @Test func findsTheFirstDeviceWithTheService() async throws {
        let air = VirtualBluetooth(seed: 1)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let found = try await HeartRateSensor.find(over: air)
        #expect(found.identity == strap.identity)
        #expect(found.services == [StandardServices.heartRate])
    }

    @Test func findsNoSensorWhereThereIsNone() async throws {
        let air = VirtualBluetooth(seed: 1)
        var options = HeartRateSensorOptions()
        options.findTimeout = .seconds(3)
        let start = air.time.now()
        let error = await #expect(throws: DeviceError.self) {
            try await HeartRateSensor.connect(over: air, options: options)
        }
        #expect(error?.kind == .notFound)
        #expect(air.time.now() == start + .seconds(3))
    }

    @Test func measurementsHaveTheValuesThatWereSent() async throws {
        let air = VirtualBluetooth(seed: 2, secondsFromUTC: 7200)
        let script = [
            try HeartRateMeasurement(beatsPerMinute: 61),
            try HeartRateMeasurement(
                beatsPerMinute: 300, contact: .detected, energyKilojoules: 12,
                rrIntervals: [1000, 1010]),
            try HeartRateMeasurement(beatsPerMinute: 0, contact: .notDetected),
        ]
        air.add(VirtualHeartRateSensor(playing: script))
        let sensor = try await HeartRateSensor.connect(over: air)
        let all = try await Self.collect(3, of: sensor)
        #expect(all.map(\.isTouchingSkin) == [nil, true, false])
        #expect(all.map(\.energyKilojoules) == [nil, 12, nil])
        #expect(
            all.map { $0.beats.map(\.interval) } == script.map(\.rrIntervals).map(Self.durations))
        #expect(all.map(\.beatsPerMinute) == [61, 300, 0])
        for (first, second) in zip(all, all.dropFirst()) {
            let gap = second.moment.duration(since: first.moment)
            #expect(abs(gap.wholeMicroseconds - 1_000_000) < 300_000)
        }
        await sensor.disconnect()
    }

    @Test func measurementsHaveTheirTimeAndZone() async throws {
        let air = VirtualBluetooth(
            seed: 2, startingAt: CivilDateTime(secondsSince1970: 1_800_000_000),
            secondsFromUTC: 7200)
        air.add(VirtualHeartRateSensor(location: .chest))
        let sensor = try await HeartRateSensor.connect(over: air)
        let measurement = try #require(try await Self.collect(1, of: sensor).first)
        let passed = Int(measurement.moment.microseconds / 1_000_000)
        #expect(measurement.secondsFromUTC == 7200)
        #expect(measurement.time.secondsSince1970 == 1_800_000_000 + UInt32(passed))
        #expect(measurement.utc.secondsSince1970 == 1_799_992_800 + UInt32(passed))
    }

    @Test func reportsMalformedValuesAndGoesOn() async throws {
        let air = VirtualBluetooth(seed: 3)
        let strap = air.add(VirtualHeartRateSensor(playing: try Self.script([60, 61])))
        let sensor = try await HeartRateSensor.connect(over: air)
        var reports: [HeartRateSensor.Report] = []
        var measurements = sensor.measurements.makeAsyncIterator()
        for try await report in sensor.reports {
            reports.append(report)
            if reports.count == 1 { strap.modify { $0.send([0x10, 60, 1]) } }
            if reports.count == 3 { break }
        }
        guard case .measurement(let first) = reports[0],
            case .malformed(let bytes, let moment, let error) = reports[1],
            case .measurement(let second) = reports[2]
        else {
            Issue.record("\(reports)")
            return
        }
        #expect([first.beatsPerMinute, second.beatsPerMinute] == [60, 61])
        #expect(bytes == [0x10, 60, 1])
        #expect(error.kind == .truncated)
        #expect(first.moment <= moment && moment <= second.moment)
        #expect(try await measurements.next()?.beatsPerMinute == 60)
        #expect(try await measurements.next()?.beatsPerMinute == 61)
    }

    @Test func aSensorWithoutEnergyCannotResetIt() async throws {
        let air = VirtualBluetooth(seed: 5)
        var options = VirtualHeartRateSensorOptions()
        options.countsEnergy = false
        options.hasBattery = false
        options.information = DeviceInformation()
        air.add(VirtualHeartRateSensor(options: options))
        let sensor = try await HeartRateSensor.connect(over: air)
        let reset = await #expect(throws: DeviceError.self) { try await sensor.resetEnergy() }
        #expect(reset?.kind == .notSupported)
        let battery = await #expect(throws: DeviceError.self) { _ = try await sensor.battery() }
        #expect(battery?.kind == .notSupported)
        let levels = await #expect(throws: DeviceError.self) {
            for try await _ in sensor.batteryCharges {}
        }
        #expect(levels?.kind == .notSupported)
        #expect(try await sensor.deviceInformation() == DeviceInformation())
    }

    @Test func measuresDuringALoopAndNoLonger() async throws {
        let air = VirtualBluetooth(seed: 8)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let sensor = try await HeartRateSensor.connect(over: air)
        #expect(strap.state?.isMeasuring == false)
        #expect(try await Self.collect(2, of: sensor).count == 2)
        // What was requested before this reply is done.
        _ = try await sensor.battery()
        #expect(strap.state?.isMeasuring == false)
    }

    @Test func loopsShareOneSubscription() async throws {
        let air = VirtualBluetooth(seed: 9)
        let strap = air.add(VirtualHeartRateSensor(playing: try Self.script([60, 61, 62, 63])))
        let sensor = try await HeartRateSensor.connect(over: air)
        var first = sensor.measurements.makeAsyncIterator()
        do {
            var second = sensor.measurements.makeAsyncIterator()
            #expect(try await first.next()?.beatsPerMinute == 60)
            #expect(try await second.next()?.beatsPerMinute == 60)
            #expect(try await second.next()?.beatsPerMinute == 61)
        }
        _ = try await sensor.battery()
        #expect(strap.state?.isMeasuring == true)
        #expect(try await first.next()?.beatsPerMinute == 61)
        #expect(try await first.next()?.beatsPerMinute == 62)
    }

    @Test func countsTheReportsThatASlowLoopHasMissed() async throws {
        let air = VirtualBluetooth(seed: 10)
        air.add(VirtualHeartRateSensor(playing: try Self.script(Array(60...80))))
        var options = HeartRateSensorOptions()
        options.bufferLimit = 3
        let sensor = try await HeartRateSensor.connect(over: air, options: options)
        var measurements = sensor.measurements.makeAsyncIterator()
        var reports = sensor.reports.makeAsyncIterator()
        #expect(try await measurements.next()?.beatsPerMinute == 60)
        try await air.clock.sleep(for: .seconds(10))
        #expect(try await measurements.next() != nil)
        guard case .missed(let count) = try await reports.next(),
            case .measurement(let oldest) = try await reports.next()
        else {
            Issue.record("nothing was dropped")
            return
        }
        #expect(oldest.beatsPerMinute == 60 + count)
    }

    @Test func reportsContactThatIsLostAndFound() async throws {
        let air = VirtualBluetooth(seed: 12)
        let strap = air.add(VirtualHeartRateSensor(location: .chest))
        let sensor = try await HeartRateSensor.connect(over: air)
        var contacts: [Bool] = []
        var count = 0
        for try await report in sensor.reports {
            if case .contact(let contact) = report { contacts.append(contact) }
            count += 1
            if count == 3 { strap.modify { $0.takeOff() } }
            if count == 8 { strap.modify { $0.putOn() } }
            if count == 12 { break }
        }
        #expect(contacts == [false, true])
    }

    @Test func numbersBeatsAcrossMeasurements() async throws {
        let air = VirtualBluetooth(seed: 13)
        air.add(VirtualHeartRateSensor(location: .chest))
        let sensor = try await HeartRateSensor.connect(over: air)
        let all = try await Self.collect(20, of: sensor)
        let beats = all.flatMap(\.beats)
        #expect(beats.map(\.number) == Array(1...beats.count))
        for (beat, next) in zip(beats, beats.dropFirst()) {
            #expect(next.time == beat.time + next.interval)
            #expect(next.interval > .milliseconds(300) && next.interval < .seconds(2))
        }
        #expect(Set(beats.map(\.series)) == [1])
        #expect(beats.count > 12)
    }
}
