import TestSupport
import Testing

@testable import HaloProtocol

/// The requests that only read, and the replies that match a request.
@Suite(.computes) struct SessionKindTests {
    private func onlyRead<Request: RequestPacket>(_ requests: Request...) -> [Bool] {
        requests.map { $0.onlyReads }
    }

    @Test func logsAndStatesAreOnlyRead() throws {
        #expect(onlyRead(Battery.Request()) == [true])
        #expect(onlyRead(DeviceFunctions.Request()) == [true])
        #expect(onlyRead(TodayTotals.Request()) == [true])
        #expect(onlyRead(NotificationSwitches.Request()) == [true])
        #expect(onlyRead(DataAvailability.Request()) == [true])
        #expect(onlyRead(BloodPressureData.Request()) == [true])
        #expect(onlyRead(ActivityLog.Request(day: 0)) == [true])
        #expect(onlyRead(OldSleep.Request(day: 0)) == [true])
        #expect(onlyRead(DailyTotals.Request(day: 0)) == [true])
        #expect(onlyRead(StressLog.Request(day: 0)) == [true])
        #expect(onlyRead(HeartRateVariabilityLog.Request(day: 0)) == [true])
        #expect(onlyRead(HourlySeries.Request(day: 0)) == [true])
        #expect(onlyRead(HeartRateLog.Request(time: CivilDateTime(secondsSince1970: 0))) == [true])
        #expect(RawCommand.row(opcode: 0x23)?.onlyReads == true)
        #expect(RawCommand.versionNumbers.onlyReads)
        #expect(Sleep.onlyReads && BloodOxygen.onlyReads && TemperatureSeries.onlyReads)
        #expect(WorkoutList.onlyReads && WorkoutDetail.onlyReads && ManualHeartRate.onlyReads)
        #expect(FileList.onlyReads && BloodSugar.onlyReads)
        #expect(IntervalTemperature74.onlyReads && IntervalTemperature77.onlyReads)
    }

    @Test func requestsThatMayChangeTheRingAreNotOnlyRead() throws {
        let time = CivilDateTime(secondsSince1970: 1_785_000_000)
        #expect(onlyRead(try SetTime.Request(time: time)) == [false])
        #expect(onlyRead(FindDevice.Request()) == [false])
        #expect(onlyRead(BlinkLight.Request()) == [false])
        #expect(onlyRead(Camera.Request(.enter)) == [false])
        #expect(RawCommand.row(opcode: 0x24)?.onlyReads == false)
        #expect(RawCommand.row(opcode: 0x1A)?.onlyReads == false)
        #expect(onlyRead(RealtimeMeasurement.Request(.heartRate)) == [false])
        #expect(onlyRead(StopMeasurement.Request(.heartRate)) == [false])
        #expect(onlyRead(RawSensors.Request(.once)) == [false])
        #expect(!Nickname.onlyReads && RawRecord.rows.allSatisfy { !$0.onlyReads })
        #expect(DangerousFirmwareUpdate.rows.allSatisfy { !$0.onlyReads })
        #expect(DangerousRawCommand.rows.allSatisfy { !$0.onlyReads })
    }

    @Test func rawFramesAreThoseOfRawCommands() throws {
        var session = RingSession()
        for row in RawCommand.rows {
            #expect(session.send(raw: try Frame(opcode: row.code), at: .origin) != nil)
        }
        #expect(session.send(raw: Battery.Request().frame, at: .origin) == nil)
        for row in DangerousRawCommand.rows {
            #expect(session.send(raw: try Frame(opcode: row.code), at: .origin) == nil)
        }
    }

    @Test func rawRecordsAreThoseOfRawRows() throws {
        var session = RingSession()
        for row in RawRecord.rows {
            #expect(
                session.send(raw: try BigDataFrame(id: row.code, payload: []), at: .origin) != nil)
        }
        #expect(session.send(raw: FileList.Request().frame, at: .origin) == nil)
    }

    @Test func settingsSayItOfEachRequest() {
        #expect(onlyRead(AutoStress.Request.read, .write(ToggleSetting(.on))) == [true, false])
        #expect(
            onlyRead(
                TemperatureSetting.Request.read(.temperature),
                .write(.temperature, isOn: true))
                == [true, false])
        #expect(
            onlyRead(
                TouchGesture.Request.read(.touch), .writeTouch(.music, sleepMinutes: 3))
                == [true, false])
        #expect(
            onlyRead(Display.Request.read, .readRaiseToWake, .writeRaiseToWake)
                == [true, true, false])
        #expect(
            onlyRead(
                WorkoutControl.Request(.requestStart, .run), WorkoutControl.Request(.start, .run))
                == [true, false])
    }

    @Test func answersOfSettingsAreOfTheirKind() throws {
        let reading = AutoStress.Reply(.read, reading: ToggleSetting(.on)).frame
        let echo = AutoStress.Reply(.write, echo: ToggleSetting(.on)).frame
        let other = try frame("36 07 01")
        let read = AutoStress.Request.read
        let write = AutoStress.Request.write(ToggleSetting(.on))
        #expect(read.isAnswered(by: reading) && !read.isAnswered(by: echo))
        #expect(write.isAnswered(by: echo) && !write.isAnswered(by: reading))
        #expect(read.isAnswered(by: other) && write.isAnswered(by: other))
    }

    @Test func answersOfTheDisplayAreOfTheirKind() throws {
        let replies: [Frame] = [
            try frame("05 03 01 02"), try frame("05 04"), try frame("05 01"), try frame("05 02"),
        ]
        let requests = [Display.Request.read, .readRaiseToWake, .writeRaiseToWake]
        for (request, answer) in zip(requests, [0, 2, 3]) {
            #expect(replies.indices.filter { request.isAnswered(by: replies[$0]) } == [answer])
        }
        #expect(requests.allSatisfy { $0.isAnswered(by: Frame(summing: 0x0905, 0)) })
    }

    @Test func answersOfGesturesAreOfTheirSurface() throws {
        let touch = try frame("3B 01 00 00 01")
        let gesture = try frame("3B 01 01 00 01")
        let unknown = try frame("3B 01 77 00 01")
        let written = try frame("3B 02")
        let request = TouchGesture.Request.read(.touch)
        #expect(request.isAnswered(by: touch) && request.isAnswered(by: unknown))
        #expect(!request.isAnswered(by: gesture) && !request.isAnswered(by: written))
        let write = TouchGesture.Request.writeTouch(.music, sleepMinutes: 3)
        #expect(write.isAnswered(by: written) && !write.isAnswered(by: touch))
        // What rings but an R08 repeat is not known.
        #expect(write.isAnswered(by: try frame("3B 02 01 00 01")))
    }

    @Test func answersOfTemperatureSettingsAreOfTheirKind() throws {
        let reading = try frame("3A 03 01 01")
        let sugar = try frame("3A 01 01 01")
        let written = try frame("3A 03 02")
        let read = TemperatureSetting.Request.read(.temperature)
        let write = TemperatureSetting.Request.write(.temperature, isOn: true)
        #expect(read.isAnswered(by: reading) && write.isAnswered(by: written))
        #expect(!read.isAnswered(by: sugar) && !read.isAnswered(by: written))
        #expect(!write.isAnswered(by: reading))
    }

    @Test func answersOfWorkoutsAreOfTheirAction() {
        let key = CivilDateTime(secondsSince1970: 1_785_000_000)
        let replies = [
            WorkoutControl.Reply.started(at: key), .running(since: key), .done,
        ].map(\.frame)
        let actions: [WorkoutControl.Action] = [.start, .requestStart, .pause, .resume, .end]
        for (action, answer) in zip(actions, [0, 1, 2, 2, 2]) {
            let request = WorkoutControl.Request(action, .run)
            #expect(replies.indices.filter { request.isAnswered(by: replies[$0]) } == [answer])
        }
    }

    @Test func logsAreOfTheirDay() throws {
        let day = try CivilDate(year: 2026, month: 7, day: 2)
        let next = try CivilDate(year: 2026, month: 7, day: 3)
        let log = try heartRateLog(day).frames
        #expect(log.allSatisfy(HeartRateLog.Request(day: day).isAnswered))
        let others = log.filter { $0 != log[1] }
        #expect(log.filter(HeartRateLog.Request(day: next).isAnswered) == others)
        let stress = try stressLog(daysAgo: 3, sample: 1).frames
        #expect(stress.allSatisfy(StressLog.Request(day: 3).isAnswered))
        #expect(!StressLog.Request(day: 2).isAnswered(by: stress[1]))
        let totals = try frame("07010025012700000000020000000057")
        #expect(DailyTotals.Request(day: 0).isAnswered(by: totals))
        #expect(!DailyTotals.Request(day: 1).isAnswered(by: totals))
        #expect(DailyTotals.Request(day: 1).isAnswered(by: try frame("07 01 80")))
    }
}
