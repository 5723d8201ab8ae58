import TestSupport
import Testing

@testable import HaloProtocol

/// Rule 7: records, and replies of several records.
@Suite(.computes) struct SessionRecordTests {
    private var driver = SessionDriver()

    private static func night(daysAgo: UInt8) throws -> SleepPeriod {
        try SleepPeriod(
            daysAgo: daysAgo, start: try CivilTime(hour: 23, minute: 0),
            end: try CivilTime(hour: 1, minute: 30),
            stages: [SleepPeriod.Stage(.light, minutes: 90), SleepPeriod.Stage(.deep, minutes: 60)])
    }

    @Test mutating func aRecordInPiecesIsOneAnswer() throws {
        let pending = driver.app { $0.send(ManualHeartRate.Request.today, at: $1) }
        let time = try CivilTime(hour: 19, minute: 34)
        let samples = (0..<200).map { ManualHeartRate.Sample(time: time, beatsPerMinute: $0) }
        let reply = try ManualHeartRate.Reply(day: 0, samples: samples)
        #expect(driver.drainRecords() == [ManualHeartRate.Request.today.frame])
        driver.ring(reply.frame)
        #expect(try driver.answer(pending) == .value(reply))
    }

    @Test mutating func aRingThatKnowsNoWorkoutsSaysSoUnderTheRequestsID() throws {
        let list = driver.app { $0.send(WorkoutList.Request.all, at: $1) }
        driver.ring(BigDataNoData(id: WorkoutList.requestID).frame)
        #expect(try driver.answer(list) == .noData)
        driver.wait(.seconds(1))
        let start = CivilDateTime(secondsSince1970: 1)
        let detail = driver.app {
            $0.send(WorkoutDetail.Request(sport: Reported(.run), start: start), at: $1)
        }
        driver.ring(BigDataNoData(id: WorkoutDetail.requestID).frame)
        #expect(try driver.answer(detail) == .noData)
    }

    @Test mutating func aRecordOfAnotherDayIsNotTheAnswer() throws {
        let pending = driver.app { $0.send(ManualHeartRate.Request(day: 1), at: $1) }
        let other = try ManualHeartRate.Reply(day: 2, samples: [])
        let right = try ManualHeartRate.Reply(day: 1, samples: [])
        driver.ring(other.frame, right.frame)
        #expect(try driver.answer(pending) == .value(right))
        #expect(driver.drainEvents() == [.unsolicitedRecord(other.frame)])
    }

    @Test mutating func eachPartOfARecordRestartsTheFrameTimeout() throws {
        let pending = driver.app { $0.send(FileList.Request(), at: $1) }
        let record = try BigDataFrame(id: FileList.replyID, payload: [1, 3, 65, 66, 67])
        for byte in record.bytes {
            driver.wait(.milliseconds(2000))
            driver.ring(bytes: [byte], on: .bigData)
        }
        #expect(driver.completion(pending)?.error == nil)
        #expect(driver.drainRecords().count == 1)
    }

    @Test mutating func anOverdueRecordIsAbandoned() throws {
        let record = try BigDataFrame(id: FileList.replyID, payload: [1, 3, 65, 66, 67])
        driver.ring(bytes: Array(record.bytes.prefix(8)), on: .bigData)
        #expect(driver.session.deadline != nil)
        driver.wait(.seconds(3))
        let fault = BigDataFault(.abandoned, bytes: Array(record.bytes.prefix(8)))
        #expect(driver.drainEvents() == [.brokenRecord(fault)])
        #expect(driver.session.deadline == nil)
    }

    @Test mutating func aPartialRecordIsAbandonedBeforeARequest() throws {
        let half = Array(try BigDataFrame(id: 0x2A, payload: [1, 2, 3]).bytes.dropLast())
        driver.ring(bytes: half, on: .bigData)
        let pending = driver.app { $0.send(FileList.Request(), at: $1) }
        #expect(driver.drainEvents() == [.brokenRecord(BigDataFault(.abandoned, bytes: half))])
        driver.ring(BigDataNoData(id: FileList.replyID).frame)
        #expect(try driver.answer(pending) == .noData)
    }

    /// A record whose end is uncertain: its second notification may begin another record, and has
    /// more bytes than the first needs. It is complete once the other one is abandoned.
    private static func uncertain() throws -> (ManualHeartRate.Reply, [[UInt8]]) {
        let samples: [ManualHeartRate.Sample] = [
            .init(time: try CivilTime(minuteOfDay: 60), beatsPerMinute: BigDataFrame.marker),
            .init(time: try CivilTime(minuteOfDay: 0x2A), beatsPerMinute: 1),
            .init(time: try CivilTime(minuteOfDay: 120), beatsPerMinute: 61),
        ]
        let reply = try ManualHeartRate.Reply(day: 1, samples: samples)
        let bytes = reply.frame.bytes
        return (reply, [Array(bytes[..<9]), bytes[9...] + [1, 2]])
    }

    /// The record is older than a request that was not written yet.
    @Test mutating func aRecordFromBeforeARequestIsNoReplyToIt() throws {
        let (reply, notifications) = try Self.uncertain()
        for bytes in notifications { driver.ring(bytes: bytes, on: .bigData) }
        #expect(driver.drainEvents().isEmpty)
        let pending = driver.app { $0.send(ManualHeartRate.Request(day: 1), at: $1) }
        #expect(driver.completion(pending) == nil)
        #expect(driver.drainEvents().contains(.unsolicitedRecord(reply.frame)))
        #expect(driver.drainRecords() == [ManualHeartRate.Request(day: 1).frame])
        let right = try ManualHeartRate.Reply(day: 1, samples: [])
        driver.ring(right.frame)
        #expect(try driver.answer(pending) == .value(right))
    }

    /// As a late reply, the record delays the next request.
    @Test func aLateReplyThatWasUncertainDelaysTheNextRequest() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let first = driver.app { $0.send(ManualHeartRate.Request(day: 1), at: $1) }
        driver.wait(.seconds(3))
        #expect(driver.failure(first) == .timedOut)
        let (reply, notifications) = try Self.uncertain()
        for bytes in notifications { driver.ring(bytes: bytes, on: .bigData) }
        driver.wait(.seconds(1))
        _ = driver.drainRecords()
        let next = driver.app { $0.send(BloodOxygen.Request.allDays, at: $1) }
        #expect(driver.drainEvents().contains(.lateRecord(reply.frame)))
        #expect(driver.drainRecords().isEmpty)
        driver.wait(.milliseconds(10))
        #expect(driver.drainRecords() == [BloodOxygen.Request.allDays.frame])
        #expect(driver.completion(next) == nil)
    }

    @Test mutating func aWrongChecksumIsReportedAndTheRequestSentAgain() throws {
        let pending = driver.app { $0.send(FileList.Request(), at: $1) }
        var bytes = BigDataNoData(id: FileList.replyID).frame.bytes
        bytes[4] ^= 1
        driver.ring(bytes: bytes, on: .bigData)
        #expect(
            driver.drainEvents() == [.brokenRecord(BigDataFault(.wrongChecksum, bytes: bytes))])
        driver.wait(.milliseconds(3010))
        #expect(driver.drainRecords().count == 2)
        driver.ring(BigDataNoData(id: FileList.replyID).frame)
        #expect(try driver.answer(pending) == .noData)
    }

    @Test(arguments: [true, false])
    mutating func napsBelongToTheNights(_ isNapFirst: Bool) throws {
        let pending = driver.app { $0.send(Sleep.Request.allNights, at: $1) }
        let nights = try Sleep.Reply(nights: [try Self.night(daysAgo: 0)])
        let naps = try Nap.Reply(naps: [try Self.night(daysAgo: 2)])
        if isNapFirst {
            driver.ring(naps.frame, nights.frame)
        } else {
            driver.ring(nights.frame)
            driver.wait(.milliseconds(200))
            driver.ring(naps.frame)
        }
        let history = SleepHistory(nights: nights.nights, naps: naps.naps)
        #expect(try driver.answer(pending) == .value(history))
        #expect(driver.drainEvents() == [])
    }

    @Test mutating func nightsWithoutNapsAreCompleteAfterAWhile() throws {
        let pending = driver.app { $0.send(Sleep.Request.allNights, at: $1) }
        let nights = try Sleep.Reply(nights: [try Self.night(daysAgo: 0)])
        driver.ring(nights.frame)
        driver.wait(.milliseconds(399))
        #expect(driver.completion(pending) == nil)
        driver.wait(.milliseconds(1))
        #expect(
            try driver.answer(pending) == .value(SleepHistory(nights: nights.nights, naps: [])))
        let naps = try Nap.Reply(naps: [try Self.night(daysAgo: 2)])
        driver.ring(naps.frame)
        #expect(driver.drainEvents() == [.unsolicitedRecord(naps.frame)])
    }

    @Test mutating func noNightsAndNoNapsAreNoData() throws {
        let pending = driver.app { $0.send(Sleep.Request.allNights, at: $1) }
        driver.ring(BigDataNoData(id: Sleep.replyID).frame)
        driver.wait(.seconds(1))
        #expect(try driver.answer(pending) == .noData)
    }

    @Test func daysOfTemperaturesComeInOneRecordOrInSeveral() throws {
        let days = try [2, 1, 0].map {
            try TemperatureSeries.Day(
                daysAgo: $0, values: [UInt8](repeating: 0xA0 + $0, count: 48))
        }
        let whole = try TemperatureSeries.Reply(days: days)
        let parts = try days.map { try TemperatureSeries.Reply(days: [$0]).frame }
        let none = BigDataNoData(id: TemperatureSeries.replyID).frame
        for records in [
            [whole.frame], parts, [parts[0], parts[0], parts[1], parts[2]], parts + [none],
        ] {
            var driver = SessionDriver()
            let pending = driver.app { $0.send(TemperatureSeries.Request.today, at: $1) }
            for record in records {
                driver.wait(.milliseconds(300))
                driver.ring(record)
            }
            driver.wait(.milliseconds(400))
            #expect(try driver.answer(pending) == .value(whole))
            #expect(driver.drainRecords().count == 1)
        }
    }

    /// Replies to two attempts, with a new value between them.
    @Test mutating func aDayOfTemperaturesThatComesAgainReplacesTheFirst() throws {
        let pending = driver.app { $0.send(TemperatureSeries.Request.today, at: $1) }
        var values = [UInt8](repeating: 0, count: 48)
        let yesterday = try TemperatureSeries.Day(daysAgo: 1, values: values.map { _ in 0xA1 })
        for value: UInt8 in [0xA5, 0xA6] {
            values[0] = value
            let today = try TemperatureSeries.Day(daysAgo: 0, values: values)
            for day in [today, yesterday] {
                driver.ring(try TemperatureSeries.Reply(days: [day]).frame)
            }
        }
        driver.wait(.milliseconds(400))
        let latest = try TemperatureSeries.Day(daysAgo: 0, values: values)
        let expected = try TemperatureSeries.Reply(days: [latest, yesterday])
        #expect(try driver.answer(pending) == .value(expected))
    }
}
