internal import HaloProtocol

extension RingRecordResponder {
    /// What is stored by the day.
    static let days = [
        RingRecordResponder(Sleep.self) { ring, request, now in
            let isShort =
                switch request.dialect {
                case .empty, .days: true
                case .daysAndFlag: false
                }
            if isShort && ring.profile.quirks.contains(.sleepNeedsTwoBytes) { return .silence }
            return .records(ring.sleepFrames(request, at: now))
        },
        RingRecordResponder(BloodOxygen.self) { ring, _, now in
            days(BloodOxygen.self, ring.bloodOxygen(at: now))
        },
        RingRecordResponder(TemperatureSeries.self) { ring, request, now in
            days(TemperatureSeries.self, ring.temperatures(request, at: now))
        },
        RingRecordResponder(ManualHeartRate.self) { ring, request, now in
            let samples = ring.manualHeartRates(daysAgo: request.day, at: now)
            guard !samples.isEmpty,
                let reply = try? ManualHeartRate.Reply(day: request.day, samples: samples)
            else { return .records([BigDataNothing(id: ManualHeartRate.replyID).frame]) }
            return .record(reply)
        },
    ]

    /// A ring without any day says "nothing".
    private static func days<Subject: RecordDaysCommand>(
        _ type: Subject.Type, _ days: [Subject.Day]
    ) -> RingAnswer {
        guard !days.isEmpty, let reply = try? RecordDays<Subject>(days: days) else {
            return .records([BigDataNothing(id: Subject.replyID).frame])
        }
        return .record(reply)
    }

    /// Names and lists.
    static let texts = [
        RingRecordResponder(FileList.self) { _, _, _ in
            .records([BigDataNothing(id: FileList.replyID).frame])
        },
        RingRecordResponder(Nickname.self) { ring, request, _ in
            ring.settings.nickname = request.text
            return .record(Nickname.Reply())
        },
        RingRecordResponder(StoredAlarms.self) { _, _, _ in raw(StoredAlarms.self, [1, 0]) },
        RingRecordResponder(Undescribed5A.self) { _, _, _ in raw(Undescribed5A.self, [1, 1, 6]) },
    ]

    /// What was captured under a record that nobody has described.
    private static func raw<Subject: RawRecord>(
        _ type: Subject.Type, _ payload: [UInt8]
    ) -> RingAnswer where Subject.Reply == RawRecordReply<Subject> {
        guard let reply = try? RawRecordReply<Subject>(payload: payload) else { return .silence }
        return .record(reply)
    }
}
