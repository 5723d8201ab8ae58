internal import HaloProtocol

extension RingResponder {
    static let identity = [
        RingResponder(SetTime.self) { ring, request, now in
            ring.settings.language = request.language
            ring.setClock(to: request.time, at: now)
            // In captures 0.3 to 100 ms pass between the two.
            let size = PacketSizePush.Reply(byteCount: ring.profile.notificationLength)
            return [size.frame, ring.profile.capabilities.frame]
        },
        RingResponder(PhoneName.self) { ring, request, _ in
            ring.settings.phoneName = request.printableName
            return [PhoneName.Reply().frame]
        },
        RingResponder(Battery.self) { ring, _, now in
            ring.age(at: now)
            let level = ring.reportedBatteryLevel()
            return [Battery.Reply(percent: level.percent, charging: level.charging).frame]
        },
        RingResponder(DeviceFunctions.self) { ring, _, _ in [ring.profile.functions.frame] },
        RingResponder(BlinkLight.self) { ring, _, now in
            ring.litUntil = now + .seconds(2)
            return [BlinkLight.Reply().frame]
        },
        RingResponder(FindDevice.self) { ring, _, now in
            ring.litUntil = now + .seconds(10)
            return [FindDevice.Reply().frame]
        },
        RingResponder(DangerousPowerOff.self) { ring, request, now in
            ring.powerOff(restarting: request.action == .reboot, at: now)
            return []
        },
        RingResponder(DangerousFactoryReset.self) { ring, request, now in
            if request.isConfirmed { ring.reset(at: now) }
            return []
        },
    ]

    static let logs = [
        RingResponder(HeartRateLog.self) { ring, request, _ in
            guard let samples = ring.memory.heartRates(of: request.time.date) else {
                return [HeartRateLog.Part(.noData).frame]
            }
            return log(
                HeartRateLog.self, HeartRateLog.Day(time: request.time), minutes: 5, samples)
        },
        RingResponder(StressLog.self) { ring, request, now in
            log(StressLog.self, request.day, minutes: 30, ring.stress(request.day, at: now))
        },
        RingResponder(HeartRateVariabilityLog.self) { ring, request, now in
            log(
                HeartRateVariabilityLog.self, request.day, minutes: 30,
                ring.variability(request.day, at: now))
        },
        RingResponder(HourlySeries.self) { ring, request, now in
            // Captures have only zeros, also on days with other logs.
            let stress = ring.stress(request.day, at: now)
            return log(
                HourlySeries.self, request.day, minutes: 60,
                stress.map { [UInt8](repeating: 0, count: $0.count) })
        },
        RingResponder(ActivityLog.self) { ring, request, now in
            ring.activityFrames(request, at: now)
        },
        RingResponder(TodayTotals.self) { ring, _, now in [ring.totals(at: now).frame] },
        RingResponder(DailyTotals.self) { ring, request, now in
            ring.dailyTotals(request.day, at: now)
        },
        RingResponder(OldSleep.self) { _, _, _ in
            [OldSleep.Part.noData(OldSleep.Header(recordCount: 0)).frame]
        },
        RingResponder(DataAvailability.self) { ring, _, now in
            [DataAvailability.Reply(days: ring.daysWithData(at: now)).frame]
        },
        RingResponder(BloodPressureData.self) { _, _, _ in
            [BloodPressureData.Reply.noData.frame]
        },
    ]

    /// Replies with the samples of the day, followed by zeros, as in captures.
    private static func log<Subject: SlotLogCommand>(
        _ type: Subject.Type, _ day: Subject.Day, minutes: UInt8, _ samples: [UInt8]?
    ) -> [Frame] {
        guard let samples,
            let reply = try? SlotLog<Subject>(
                day: day, minutesPerSample: minutes, samples: samples)
        else { return [SlotLogPart<Subject>(.noData).frame] }
        return reply.frames
    }

    static let live = [
        RingResponder(ReceivedRealtimeRequest.self) { ring, request, now in
            ring.measure(request, at: now)
            return []
        },
        // The reply has the request's fields, and also quantities without a name: a ring ends
        // every measurement that it starts.
        RingResponder(StopMeasurement.Reply.self) { ring, request, now in
            ring.stopMeasuring(request.quantity, at: now)
        },
        RingResponder(LegacyRealtimeHeartRate.self) { ring, request, now in
            switch request.action {
            case .start: ring.link?.legacy = (now + .seconds(1), now + VirtualRing.legacyBudget)
            case .continue, .continueAsDigit:
                ring.link?.legacy?.endsAt = now + VirtualRing.legacyBudget
            case .stop: ring.link?.legacy = nil
            }
            ring.loadChanged(at: now)
            return []
        },
        RingResponder(RawSensors.self) { ring, request, now in
            let isWide = ring.profile.quirks.contains(.wideRawSensors)
            switch request.action {
            case .start: ring.link?.rawStream = now
            case .stop: ring.link?.rawStream = nil
            case .once: return ring.rawFrames(at: now)
            // That other rings ignore these two is a choice.
            case .startBasic where isWide: ring.link?.rawStream = now
            case .stopWithReply where isWide: ring.link?.rawStream = nil
            case .startBasic, .stopWithReply: return []
            }
            ring.loadChanged(at: now)
            return request.action == .stopWithReply ? [RawSensors.Reply(.stopped).frame] : []
        },
        RingResponder(Camera.self) { ring, request, _ in
            switch request.action {
            case .enter:
                ring.link?.isCameraOpen = true
                return [Camera.Reply(.entered).frame]
            case .keepAlive:
                return [Camera.Reply(.nothing).frame]
            case .leave:
                ring.link?.isCameraOpen = false
                return [Camera.Reply(.finished).frame]
            }
        },
        RingResponder(WorkoutControl.self) { ring, request, now in
            ring.control(request, at: now)
        },
    ]
}

extension RingRecordResponder {
    static let all = [
        RingRecordResponder(WorkoutList.self) { ring, request, _ in
            let list = ring.memory.workouts.filter { ring.key(of: $0.start) > request.after }
                .compactMap { ring.record(of: $0) }
            guard !list.isEmpty, let reply = try? WorkoutList.Reply(workouts: list) else {
                return [BigDataNoData(id: WorkoutList.replyID).frame]
            }
            return [reply.frame]
        },
        RingRecordResponder(WorkoutDetail.self) { ring, request, _ in
            let found = ring.memory.workouts.first {
                ring.key(of: $0.start) == request.start && Reported($0.sport) == request.sport
            }
            guard let found else { return [WorkoutDetail.Reply.unknownWorkout.frame] }
            return ring.recording(of: found)
        },
        RingRecordResponder(Sleep.self) { ring, request, _ in
            let isShort = request.flag == nil
            if isShort && ring.profile.quirks.contains(.sleepNeedsTwoBytes) { return [] }
            return ring.sleepFrames(request)
        },
        RingRecordResponder(BloodOxygen.self) { ring, _, _ in
            days(BloodOxygen.self, ring.bloodOxygen())
        },
        RingRecordResponder(TemperatureSeries.self) { ring, request, _ in
            days(TemperatureSeries.self, ring.temperatures(request))
        },
        RingRecordResponder(ManualHeartRate.self) { ring, request, now in
            let samples = ring.manualHeartRates(daysAgo: request.day, at: now)
            guard !samples.isEmpty,
                let reply = try? ManualHeartRate.Reply(day: request.day, samples: samples)
            else { return [BigDataNoData(id: ManualHeartRate.replyID).frame] }
            return [reply.frame]
        },
        RingRecordResponder(FileList.self) { _, _, _ in
            [BigDataNoData(id: FileList.replyID).frame]
        },
        RingRecordResponder(Nickname.self) { ring, request, _ in
            ring.settings.nickname = request.text
            return [Nickname.Reply().frame]
        },
        RingRecordResponder(RawRecord.storedAlarms, payload: [1, 0]),
        RingRecordResponder(RawRecord.undescribed5A, payload: [1, 1, 6]),
    ]

    /// Replies with the days, or with "nothing stored" if there are none.
    private static func days<Subject: RecordDaysCommand>(
        _ type: Subject.Type, _ days: [Subject.Day]
    ) -> [BigDataFrame] {
        guard !days.isEmpty, let reply = try? RecordDays<Subject>(days: days) else {
            return [BigDataNoData(id: Subject.replyID).frame]
        }
        return [reply.frame]
    }
}
