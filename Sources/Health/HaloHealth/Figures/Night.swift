internal import HaloDevices
internal import HaloTransport

/// The stored periods of sleep that make one night.
struct Night: Sendable {
    /// The earliest first; never empty.
    private(set) var records: [SleepRecord]

    private init(_ record: SleepRecord) { records = [record] }

    /// Parts of a night are at most so far apart.
    private static var longestGapMinutes: Int { 120 }
    /// A longer period is no sleep but a mistake.
    private static var longestHours: Int { 24 }

    static func isPlausible(_ record: SleepRecord) -> Bool {
        record.start < record.end
            && record.end <= record.start.advanced(bySeconds: longestHours * 3600)
    }

    /// Returns nights made of records that are in the order of time.
    static func nights(of records: [SleepRecord]) -> [Night] {
        var nights: [Night] = []
        for record in records {
            if let last = nights.last?.records.last,
                gapMinutes(from: last, to: record) <= longestGapMinutes
            {
                nights[nights.count - 1].records.append(record)
            } else {
                nights.append(Night(record))
            }
        }
        return nights
    }

    /// Returns sleep with the parts of a night as one record, the earliest first.
    static func joined(_ records: [SleepRecord]) -> [SleepRecord] {
        let isPart = { (record: SleepRecord) in !record.isNap && Self.isPlausible(record) }
        let parts = records.filter(isPart).sorted { $0.start < $1.start }
        return (records.filter { !isPart($0) } + nights(of: parts).flatMap(\.joined))
            .sorted { $0.start < $1.start }
    }

    /// The parts as one record, awake between them; the parts where they overlap.
    private var joined: [SleepRecord] {
        let pairs = zip(records, records.dropFirst())
        let isOne = pairs.allSatisfy { $0.end <= $1.start }
        guard records.count > 1, isOne,
            end <= start.advanced(bySeconds: Self.longestHours * 3600)
        else { return records }
        var stages = records[0].stages
        for (earlier, later) in pairs {
            let gap = TimedSample(
                time: earlier.end, minutes: Self.gapMinutes(from: earlier, to: later),
                secondsFromUTC: earlier.secondsFromUTC, value: SleepRecord.Stage.awake)
            stages += (gap.minutes > 0 ? [gap] : []) + later.stages
        }
        return [
            SleepRecord(
                isNap: false, start: start, end: end, stages: stages,
                secondsFromUTC: records[records.count - 1].secondsFromUTC)
        ]
    }

    /// Returns the minutes between two periods, at least 0: in UTC if it is known.
    private static func gapMinutes(from earlier: SleepRecord, to later: SleepRecord) -> Int {
        let offsets = earlier.secondsFromUTC.flatMap { first in
            later.secondsFromUTC.map { (first, $0) }
        }
        let (end, start) =
            offsets.map { first, second in
                (utc(earlier.end, first), utc(later.start, second))
            } ?? (earlier.end, later.start)
        return max(Int(start.secondsSince1970) - Int(end.secondsSince1970), 0) / 60
    }

    private static func utc(_ time: CivilDateTime, _ secondsFromUTC: Int) -> CivilDateTime {
        WallClock(local: time, secondsFromUTC: secondsFromUTC).utc
    }

    var start: CivilDateTime { records[0].start }
    var end: CivilDateTime { records[records.count - 1].end }

    /// The days of the night, and one more at either end.
    var dates: [CivilDate] {
        let first = Int(start.date.daysSince1970) - 1
        let last = Int(end.date.daysSince1970) + 1
        return (first...last).compactMap { try? CivilDate(daysSince1970: $0) }
    }

    /// Checks whether a sample begins during the night: by UTC if both know it.
    func contains<Value>(_ sample: TimedSample<Value>) -> Bool {
        records.contains { record in
            guard let utc = sample.utc, let offset = record.secondsFromUTC else {
                return record.start <= sample.time && sample.time < record.end
            }
            return Self.utc(record.start, offset) <= utc && utc < Self.utc(record.end, offset)
        }
    }

    // MARK: Stages

    private func minutes(_ stage: SleepRecord.Stage) -> Int {
        records.map { $0.minutes(of: stage) }.sum
    }

    var asleepMinutes: Int { records.map(\.minutesAsleep).sum }

    /// The figures; `nil` without a stage of sleep.
    var figures: NightFigures? {
        let asleep = records.filter { $0.minutesAsleep > 0 }
        guard let first = asleep.first, let last = asleep.last else { return nil }
        let gaps = zip(records, records.dropFirst()).map(Self.gapMinutes).sum
        let awakeFirst = first.stages.prefix { !$0.value.isSleep }.map(\.length).sum
        let awakeLast = last.stages.reversed().prefix { !$0.value.isSleep }.map(\.length).sum
        return NightFigures(
            fellAsleep: first.start.advanced(bySeconds: awakeFirst * 60),
            woke: last.end.advanced(bySeconds: -awakeLast * 60), asleepMinutes: asleepMinutes,
            lightMinutes: minutes(.light), deepMinutes: minutes(.deep), remMinutes: minutes(.rem),
            awakeMinutes: [minutes(.awake), gaps].sum,
            unclassifiedMinutes: minutes(.unclassified))
    }
}
