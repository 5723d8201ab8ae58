internal import HaloProtocol

extension RingResponder {
    /// What is stored by the day.
    static let logs = [
        RingResponder(HeartRateLog.self) { ring, request, now in
            guard let samples = ring.heartRates(of: request.time.date, at: now) else {
                return .frames([HeartRateLog.Part(.noData).frame])
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
            // Nobody saw anything but zeros in it, on the days that have other logs.
            let stress = ring.stress(request.day, at: now)
            return log(
                HourlySeries.self, request.day, minutes: 60,
                stress.map { [UInt8](repeating: 0, count: $0.count) })
        },
        RingResponder(ActivityLog.self) { ring, request, now in
            .frames(ring.activityFrames(request, at: now))
        },
        RingResponder(TodayTotals.self) { ring, _, now in .reply(ring.totals(at: now)) },
        RingResponder(DailyTotals.self) { ring, request, now in
            .frames(ring.dailyTotals(request.day, at: now))
        },
        RingResponder(OldSleep.self) { _, _, _ in
            .frames([OldSleep.Part.noData(OldSleep.Header(recordCount: 0)).frame])
        },
        RingResponder(DataAvailability.self) { ring, _, now in
            .reply(DataAvailability.Reply(days: ring.daysWithData(at: now)))
        },
        RingResponder(BloodPressureData.self) { _, _, _ in
            .reply(BloodPressureData.Reply.noData)
        },
    ]

    /// As many samples as a day has are sent, and zeros behind them, as captures show.
    private static func log<Subject: SlotLogCommand>(
        _ type: Subject.Type, _ day: Subject.Day, minutes: UInt8, _ samples: [UInt8]?
    ) -> RingAnswer {
        guard let samples,
            let reply = try? SlotLog<Subject>(
                day: day, minutesPerSample: minutes, samples: samples)
        else { return .frames([SlotLogPart<Subject>(.noData).frame]) }
        return .reply(reply)
    }
}
