internal import HaloDevices

/// The Sleep Regularity Index of some days.
struct SleepRegularity {
    /// A day from noon to noon; `true` for a minute asleep. Minutes that are still to come are left
    /// out at its end.
    typealias Minutes = [Bool]

    static var neededPairs: Int { 4 }
    static var nights: Int { 7 }

    /// Returns the minutes until noon of a day.
    ///
    /// - Parameter readAt: The end of what is known.
    static func minutes(
        until day: CivilDate, _ records: [SleepRecord], readAt: CivilDateTime?
    ) -> Minutes {
        let end = Int(CivilDateTime(day).secondsSince1970) / 60 + 720
        let start = end - 1440
        let known = readAt.map { min(max(Int($0.secondsSince1970) / 60 - start, 0), 1440) }
        var minutes = Minutes(repeating: false, count: known ?? 1440)
        for stage in records.lazy.flatMap(\.stages) where stage.value.isSleep {
            let first = Int(stage.time.secondsSince1970) / 60 - start
            let end = min(first + stage.length, minutes.count)
            for minute in max(first, 0)..<max(end, first, 0) { minutes[minute] = true }
        }
        return minutes
    }

    /// Returns the index of days in their order, `nil` for those without a night.
    static func index(of days: [Minutes?]) -> Figure<Double> {
        var (pairs, compared, same) = (0, 0, 0)
        for (day, next) in zip(days, days.dropFirst()) {
            guard let day, let next else { continue }
            pairs += 1
            compared += min(day.count, next.count)
            same += zip(day, next).count { $0 == $1 }
        }
        guard pairs >= neededPairs, compared > 0 else {
            return .missing(.tooFew(pairs, of: neededPairs, .pairsOfNights))
        }
        return .value(-100 + 200 * Double(same) / Double(compared))
    }
}
