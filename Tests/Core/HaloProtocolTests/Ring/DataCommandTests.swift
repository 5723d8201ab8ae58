import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct RealtimeMeasurementTests {
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
        let notWorn = try RealtimeMeasurement.Reply(decoding: try frame("69 01 01"))
        #expect(notWorn.fault == .notWorn)
        #expect(notWorn.reading == nil)
        #expect(!notWorn.isWarmingUp)
    }

    /// An RT02R sends 022C while it calibrates, with a heart rate of 0. An R12 sends intervals
    /// before its first variability.
    @Test(
        arguments: [
            ("69 01 00 00 00 00 2C 02", nil), ("69 06 00 00 00 00 2C 02", nil),
            ("69 05 00 00 00 00 2C 02", nil), ("69 01 01 3C 00 00 2C 02", nil),
            ("69 01 00 3C 00 00 E8 03", 1000), ("69 0A 00 00 00 00 90 02", 656),
            ("69 01 00 3C", nil),
        ] as [(String, UInt16?)])
    func aHeartRateWithoutAValueHasNoBeat(hex: String, interval: UInt16?) throws {
        let reply = try RealtimeMeasurement.Reply(decoding: try frame(hex))
        #expect(reply.measuredBeatIntervalMilliseconds == interval)
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

@Suite(.computes) struct RingNotificationTests {
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

@Suite(.computes) struct WorkoutTests {
    @Test func onlyAStartHasAStart() throws {
        let started = try WorkoutControl.Reply(decoding: try frame("77 01 00 66 5C 9C 6A"))
        #expect(started.start?.description == "2026-09-05 18:16:06")
        #expect(try WorkoutControl.Reply(decoding: try frame("77")) == .done)
        let echoed = try WorkoutControl.Reply(decoding: try frame("77 02"))
        #expect(echoed.start == nil)
        #expect(echoed.frame == (try frame("77 02")))
    }
}

@Suite(.computes) struct RawSensorsTests {
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
            let sent = RawSensors.Reply(
                .acceleration(try Acceleration(x: counts, y: counts, z: counts)))
            guard case .acceleration(let read) = try RawSensors.Reply(decoding: sent.frame).content
            else { throw Unexpected() }
            #expect(Int(read.x.counts) == counts)
        }
        #expect(throws: ValueError.self) { try Acceleration(x: 2048, y: 0, z: 0) }
    }

    /// A ring sends twelve bits or sixteen: those of an R02 have zeros where sixteen bits do not.
    @Test(arguments: [
        ("A1 03 20 00 F0 00 08 10", 8192, -4096, 2064, 8192),
        ("A1 03 12 93 0B FD 17 54", 4755, 3069, 5972, 8192),
        ("A1 03 7F FF 80 00 FF FF", 32767, -32768, -1, 8192),
        ("A1 03 20 00 F0 00 08 0F", 512, -256, 143, 512),
    ])
    func sixteenBitsAreDistinguishedFromTwelve(
        hex: String, y: Int16, z: Int16, x: Int16, countsPerG: Int
    ) throws {
        let reply = try RawSensors.Reply(decoding: try frame(hex))
        guard case .acceleration(let read) = reply.content else { throw Unexpected() }
        #expect([read.y.counts, read.z.counts, read.x.counts] == [y, z, x])
        #expect(read.y.countsPerG == countsPerG && read.y.g == Double(y) / Double(countsPerG))
        #expect(reply.frame == (try frame(hex)))
        #expect("\(Explanation(of: reply.frame))".contains(read.z.description))
    }

    @Test func sixteenBitsStaySixteen() throws {
        for counts in [Int16(0), 1, 15, 16, -1, -16, .max, .min, 8192, 4096] {
            let sent = Acceleration(wide: counts, y: counts, z: counts)
            #expect(sent.x.countsPerG == 8192 && sent.y.counts == counts)
            #expect(abs(Int(sent.x.counts) - Int(counts)) <= 16)
        }
    }

    @Test(arguments: [
        ("A1 04 00 06 00 02 00 07 0F FF", "undescribed4(first: 6, second: 2"),
        ("A1 05 01 46 00 00 00 00 00 00 01", "undescribed5(326)"), ("A1 FF", "stopped"),
        ("A1 09 01 02", "unknown"),
    ])
    func channelsWithoutADescriptionKeepTheirShape(hex: String, content: String) throws {
        let bytes = try frame(hex)
        let reply = try RawSensors.Reply(decoding: bytes)
        let words = "\(reply.content)".replacing(
            "HaloProtocol.RawSensors.FourNumbers(", with: "")
        #expect(words.hasPrefix(content), "\(words)")
        #expect(reply.frame == bytes)
    }
}
