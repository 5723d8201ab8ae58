internal import HaloProtocol

/// Plans a day: its waking part, its nights and its nap.
///
/// The hours from a little after waking to a little before bed have random weights, larger for the
/// ways to work, lunch and the longer walks of a weekend. The day's steps are distributed by these
/// weights, with one walk in each hour. An hour with a run or a ride has no walk.
struct DayPlanner {
    let wearer: Wearer
    private var noise: SeededNoise { wearer.noise }

    /// The longest walk in minutes, so that each stays within its hour.
    private static let longestWalk = 56
    private static let runningCadence = 156...170
    private static let walkingCadence = 96...116

    /// The plan of a day; `known` is the night that ends on it, if it was planned before.
    func plan(of day: Int, night known: PlannedSleep? = nil) -> DayPlan {
        let night = known ?? self.night(endingOn: day)
        let nextNight = self.night(endingOn: day + 1).moved(by: DayPlan.minutes)
        let nap = self.nap(on: day, night: night)
        let hours = WakingHours(from: night.end + 10, to: min(nextNight.start - 15, 1435))
        let plan = DayPlan(
            wearer: wearer, day: day, night: night, nextNight: nextNight,
            strains: strains(day, hours), meals: meals(day, night))
        return plan.with(bouts(day, hours, nap), nap.map { [$0] } ?? [])
    }

    private func bouts(_ day: Int, _ hours: WakingHours, _ nap: PlannedSleep?) -> [Bout] {
        var weights = weights(day, hours)
        let asleep = nap.map { hours.indices(of: $0.start - 1..<$0.end + 1) }
        for hour in asleep ?? 0..<0 { weights[hour] = 0 }
        let target = target(day)
        let exercise = exercise(day, hours, target: target, not: asleep)
        if let exercise { weights[hours.index(of: exercise.start / 60)] = 0 }
        let walked = max(target - (exercise.map { $0.cadence * $0.minutes } ?? 0), target / 5)
        let sum = max(weights.reduce(0, +), 1)
        return (0..<hours.count).compactMap { hour in
            let isExercise = exercise.map { hours.index(of: $0.start / 60) == hour } ?? false
            let steps = walked * weights[hour] / sum
            let walk = walk(day, hour, from: hours.minute(of: hour), steps: steps)
            return isExercise ? exercise : walk
        }
    }

    /// The steps of a day: 80 to 120 % of the usual number, at weekends 60 to 140 %.
    private func target(_ day: Int) -> Int {
        let range = Self.isWeekend(day) ? 60...140 : 80...120
        return wearer.stepsPerDay * noise.number(.target, Int64(day), in: range) / 100
    }

    private func weights(_ day: Int, _ hours: WakingHours) -> [Int] {
        var weights = (0..<hours.count).map { hour in
            // Three of eleven numbers become 0: such an hour has no walk, unless it is raised.
            max(noise.number(.hour, Int64(day) * 32 + Int64(hour), in: -2...8), 0)
        }
        func raise(_ minute: Int, by weight: Int) {
            weights[hours.index(of: minute)] += weight
        }
        if Self.isWeekend(day) {
            raise(11 * 60, by: 16)
            raise(15 * 60 + noise.number(.hour, Int64(day) * 32 + 31, in: -60...60), by: 24)
        } else {
            raise(hours.from + 60, by: 16)
            raise(12 * 60 + 30, by: 8)
            raise(17 * 60 + 30, by: 18)
        }
        return weights
    }

    private func walk(_ day: Int, _ hour: Int, from minute: Int, steps: Int) -> Bout? {
        guard steps >= 20 else { return nil }
        let place = Int64(day) * 32 + Int64(hour)
        let cadence = noise.number(.bout, place * 2, in: Self.walkingCadence)
        let minutes = ((steps + cadence / 2) / cadence).limited(to: 1...Self.longestWalk)
        let late = noise.number(.bout, place * 2 + 1, in: 0...58 - minutes)
        let pace = minutes == 1 ? min(steps, cadence) : cadence
        return Bout(
            start: (minute + late) * 60, minutes: minutes, activity: .walking, cadence: pace,
            effort: 190 + (pace - 96) * 5, place: place)
    }

    /// The run or ride of a day, if any; the walk of its hour is left out.
    private func exercise(
        _ day: Int, _ hours: WakingHours, target: Int, not asleep: Range<Int>?
    ) -> Bout? {
        guard isExerciseDay(day) else { return nil }
        let place = Int64(day) * 4
        let usual = Self.isWeekend(day) ? 10 * 60 + 30 : 18 * 60 + 45
        let hour = hours.index(of: usual + noise.number(.exercise, place, in: -60...60))
        if let asleep, asleep.contains(hour) { return nil }
        let cadence = noise.number(.exercise, place + 1, in: Self.runningCadence)
        // At most three fifths of the day's steps are run.
        let most = min(target * 3 / 5 / cadence, 50)
        let minutes = noise.number(.exercise, place + 2, in: 25...52)
        let isRun = most >= 20 && noise.happens(.exercise, place + 3, percent: 65)
        let effort = noise.number(.bout, -place - 1, in: -50...70)
        return Bout(
            start: (hours.minute(of: hour) + 3) * 60, minutes: isRun ? min(minutes, most) : minutes,
            activity: isRun ? .running : .cycling, cadence: isRun ? cadence : 0,
            effort: (isRun ? 740 : 590) + effort, place: Int64(day) * 32 + 31)
    }

    /// `true` if the day is for exercise: the days of a week are ranked at random, and the first of
    /// them are for exercise.
    private func isExerciseDay(_ day: Int) -> Bool {
        let weekday = Self.weekday(day)
        let monday = Int64(day - weekday)
        let own = noise.bits(.weekday, monday + Int64(weekday))
        let before = (0..<7).count { noise.bits(.weekday, monday + Int64($0)) < own }
        return before < wearer.exerciseDaysPerWeek
    }

    /// The strains of a day: one or two on a weekday, one on a third of weekend days.
    private func strains(_ day: Int, _ hours: WakingHours) -> [Range<Int>] {
        let place = Int64(day) * 8
        let isWeekend = Self.isWeekend(day)
        guard noise.happens(.stress, place, percent: isWeekend ? 33 : 100) else { return [] }
        let first = noise.number(.stress, place + 1, in: 540...660)
        let length = noise.number(.stress, place + 2, in: 40...110)
        guard noise.happens(.stress, place + 3, percent: isWeekend ? 0 : 60) else {
            return [first..<first + length]
        }
        let second = noise.number(.stress, place + 4, in: 810...960)
        let rest = noise.number(.stress, place + 5, in: 40...110)
        return [first..<first + length, second..<second + rest]
    }

    private func meals(_ day: Int, _ night: PlannedSleep) -> [Int] {
        let shift = noise.number(.stress, Int64(day) * 8 + 6, in: -20...20)
        return [night.end + 35, 745 + shift, 1150 + shift]
    }

    // MARK: Sleep

    // A night has cycles of about ninety minutes. Each is light, deep, light and REM sleep. Deep
    // sleep is long in the first cycles and absent in the last; REM sleep the other way round.
    // After two cycles of five the sleeper is awake for some minutes.

    private static let deepMinutes = [38, 28, 14, 5, 0]
    private static let remMinutes = [7, 14, 21, 27, 31]

    /// The day of the week of a day since 1970; 0 is Monday.
    static func weekday(_ day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }

    static func isWeekend(_ day: Int) -> Bool { weekday(day) >= 5 }

    func night(endingOn day: Int) -> PlannedSleep {
        let evening = wearer.bedtime.minuteOfDay
        let usual = evening < 720 ? evening + DayPlan.minutes : evening
        let place = Int64(day)
        var bed = usual + noise.number(.bed, place, in: -25...25)
        var wake = wearer.wakeTime.minuteOfDay + noise.number(.wake, place, in: -15...15)
        if Self.isWeekend(day) {
            bed += 45
            wake += 70
        }
        let start = bed - DayPlan.minutes
        let length = max(wake - start, 180)
        return PlannedSleep(start: start, stages: stages(of: place * 4, minutes: length))
    }

    /// The nap after lunch, if any: on one weekday of twelve and one weekend day of three.
    func nap(on day: Int, night: PlannedSleep) -> PlannedSleep? {
        let place = Int64(day)
        let percent = Self.isWeekend(day) ? 33 : 8
        guard noise.happens(.napChance, place, percent: percent) else { return nil }
        let start = max(noise.number(.nap, place * 2, in: 780...930), night.end + 240)
        let minutes = noise.number(.nap, place * 2 + 1, in: 25...95)
        return PlannedSleep(start: start, stages: stages(of: place * 4 + 1, minutes: minutes))
    }

    private func stages(of place: Int64, minutes: Int) -> [SleepSpan.Stretch] {
        var stretches: [SleepSpan.Stretch] = []
        stretches.reserveCapacity(32)
        var remaining = minutes
        func add(_ stage: SleepStage, _ minutes: Int) {
            let minutes = min(minutes, remaining)
            guard minutes > 0 else { return }
            remaining -= minutes
            stretches.append(stage, minutes: minutes)
        }
        var cycle = 0
        while remaining > 0 {
            let index = min(cycle, 4)
            let cyclePlace = place * 16 + Int64(min(cycle, 15))
            func length(_ part: Int64, _ range: ClosedRange<Int>) -> Int {
                noise.number(.stage, cyclePlace * 8 + part, in: range)
            }
            let deep = Self.deepMinutes[index]
            let rem = Self.remMinutes[index]
            add(.light, length(0, 10...20))
            add(.deep, deep == 0 ? 0 : length(1, deep - 4...deep + 4))
            add(.light, length(2, 12...22))
            add(.rem, length(3, rem - 4...rem + 4))
            add(.light, length(4, 4...14))
            if noise.happens(.cycle, cyclePlace, percent: 40) {
                add(.awake, length(5, 1...6))
            }
            cycle += 1
        }
        return stretches
    }
}

/// The hours of a day in which walks are possible, from a little after waking.
private struct WakingHours {
    let from: Int
    let count: Int

    init(from: Int, to: Int) {
        self.from = from
        count = max((to - from) / 60, 1)
    }

    func minute(of index: Int) -> Int { from + index * 60 }

    func index(of minute: Int) -> Int {
        minute < from ? 0 : min((minute - from) / 60, count - 1)
    }

    func indices(of minutes: Range<Int>) -> Range<Int> {
        index(of: minutes.lowerBound)..<index(of: minutes.upperBound) + 1
    }
}
