import HaloProtocol
import Testing

struct RealtimeMeasurementTests {
    @Test(arguments: [
        ("69 01 00", RealtimeMeasurement.Request(asVendor: .heartRate)),
        ("69 0A 25", RealtimeMeasurement.Request(asVendor: .heartRateVariability)),
        ("69 03 01", RealtimeMeasurement.Request(.bloodOxygen)),
        ("69 06 03", RealtimeMeasurement.Request(.heartRateStream, .resume)),
        ("69 01 04", RealtimeMeasurement.Request(.heartRate, .stop)),
    ])
    func speaksBothDialects(hex: String, request: RealtimeMeasurement.Request) throws {
        #expect(request.frame == (try frame(hex)))
        #expect(try RealtimeMeasurement.Request(decoding: try frame(hex)) == request)
    }

    @Test func zeroIsNeitherAReadingNorAnError() throws {
        let warming = try RealtimeMeasurement.Reply(decoding: try frame("69 01 00 00 00 00 77 02"))
        #expect(warming.reading == nil)
        #expect(warming.isWarmingUp)
        #expect(warming.measuredBeatIntervalMilliseconds == 631)
        let notWorn = try RealtimeMeasurement.Reply(decoding: try frame("69 01 01"))
        #expect(notWorn.fault == .notWorn)
        #expect(notWorn.reading == nil)
        #expect(!notWorn.isWarmingUp)
    }

    @Test func readsEachQuantityFromItsPlace() throws {
        let heart = try RealtimeMeasurement.Reply(decoding: try frame("69 01 00 56 00 00 C3 02"))
        #expect(heart.beatsPerMinute == 86)
        #expect(heart.measuredBeatIntervalMilliseconds == 707)
        #expect(heart.bloodOxygenPercent == nil)
        let oxygen = try RealtimeMeasurement.Reply(decoding: try frame("69 03 00 63 01"))
        #expect(oxygen.bloodOxygenPercent == 99)
        let check = try RealtimeMeasurement.Reply(decoding: try frame("69 05 00 43 6F 48 A9 03"))
        #expect(check.beatsPerMinute == 67)
        #expect(check.pressure?.systolicMillimetresOfMercury == 111)
        #expect(check.pressure?.diastolicMillimetresOfMercury == 72)
        #expect(check.measuredBeatIntervalMilliseconds == 937)
        let unknown = try RealtimeMeasurement.Reply(decoding: try frame("69 63 07 01"))
        #expect(unknown.quantity.known == nil)
        #expect(unknown.fault.known == nil)
        #expect(unknown.frame == (try frame("69 63 07 01")))
    }
}

struct RingNotificationTests {
    @Test func liveActivityHasTheHighestByteFirst() throws {
        let reply = try RingNotification.Reply(
            decoding: try frame("73 12 00 05 85 00 F9 8F 00 04 3C"))
        #expect(
            reply.content
                == .liveActivity(LiveActivity(steps: 1413, smallCalories: 63_887, metres: 1084)))
    }

    @Test func temperaturesStartAtTwenty() throws {
        let reply = try RingNotification.Reply(decoding: try frame("73 27 A6"))
        guard case .temperatureStored(let tenths) = reply.content else { throw Unexpected() }
        #expect(SkinTemperature.celsius(tenths) == 36.6)
    }

    @Test func keepsUndescribedNotifications() throws {
        let bytes = try frame("73 5A 01 02 00 04")
        let reply = try RingNotification.Reply(decoding: bytes)
        #expect(reply.content == .event(Reported(rawValue: 0x5A)))
        #expect(Array(reply.unclaimed) == [1, 2, 0, 4])
        #expect(reply.frame == bytes)
    }
}

struct WorkoutTests {
    @Test func onlyAStartHasAStart() throws {
        let started = try WorkoutControl.Reply(decoding: try frame("77 01 00 66 5C 9C 6A"))
        #expect(started.start?.description == "2026-09-05 18:16:06")
        #expect(try WorkoutControl.Reply(decoding: try frame("77")) == .done)
        let echoed = try WorkoutControl.Reply(decoding: try frame("77 02"))
        #expect(echoed.start == nil)
        #expect(echoed.frame == (try frame("77 02")))
    }
}

struct RawSensorsTests {
    @Test(arguments: [
        ("A1 03 00 0C 1F 06 FB 03", 12, 502, -77),
        ("A1 03 12 03 0B 0D 17 04", 291, 189, 372),
    ])
    func axesAreSigned(hex: String, y: Int16, z: Int16, x: Int16) throws {
        let reply = try RawSensors.Reply(decoding: try frame(hex))
        guard case .acceleration(let acceleration) = reply.content else { throw Unexpected() }
        #expect(acceleration.y.counts == y)
        #expect(acceleration.z.counts == z)
        #expect(acceleration.x.counts == x)
        #expect(acceleration.x.g == Double(x) / 512)
    }

    @Test func everyCountSurvives() throws {
        for counts in -2048...2047 {
            let axis = try Acceleration.Axis(counts: counts)
            let sent = RawSensors.Reply(.acceleration(Acceleration(x: axis, y: axis, z: axis)))
            guard case .acceleration(let read) = try RawSensors.Reply(decoding: sent.frame).content
            else { throw Unexpected() }
            #expect(Int(read.x.counts) == counts)
        }
        #expect(throws: ValueError.self) { try Acceleration.Axis(counts: 2048) }
    }

    @Test func keepsBitsThatBelongToNoNumber() throws {
        let bytes = try frame("A1 03 12 93 0B FD 17 54")
        let reply = try RawSensors.Reply(decoding: bytes)
        guard case .acceleration(let acceleration) = reply.content else { throw Unexpected() }
        #expect(acceleration.y.counts == 291)
        #expect(reply.frame == bytes)
    }
}
