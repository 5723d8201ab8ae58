internal import HaloProtocol

/// Lays out nights and naps.
///
/// A night has cycles of about ninety minutes. Each is light, deep, light and REM sleep; deep
/// sleep is long in the first cycles and gone in the last, REM sleep the other way round. After
/// two cycles of five the sleeper is awake for some minutes.
struct SleepPlanner {
    let wearer: Wearer
    let noise: SeededNoise

    private static let deepMinutes = [38, 28, 14, 5, 0]
    private static let remMinutes = [7, 14, 21, 27, 31]

    init(_ wearer: Wearer) {
        self.wearer = wearer
        noise = SeededNoise(seed: wearer.seed)
    }

    /// 0 is Monday.
    static func weekday(_ day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }

    static func isWeekend(_ day: Int) -> Bool { weekday(day) >= 5 }

    /// The night that ends on the morning of a day.
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

    /// A nap after lunch: on one weekday of twelve and one day of the weekend of three.
    func nap(on day: Int, night: PlannedSleep) -> PlannedSleep? {
        let place = Int64(day)
        let percent = Self.isWeekend(day) ? 33 : 8
        guard noise.happens(.napChance, place, percent: percent) else { return nil }
        let start = max(noise.number(.nap, place * 2, in: 780...930), night.end + 240)
        let minutes = noise.number(.nap, place * 2 + 1, in: 25...95)
        return PlannedSleep(start: start, stages: stages(of: place * 4 + 1, minutes: minutes))
    }

    private func stages(of place: Int64, minutes: Int) -> [SleepSpan.Stretch] {
        var stretches = StretchList(remaining: minutes)
        var cycle = 0
        while stretches.remaining > 0 {
            let index = min(cycle, 4)
            let cyclePlace = place * 16 + Int64(min(cycle, 15))
            func length(_ part: Int64, _ range: ClosedRange<Int>) -> Int {
                noise.number(.stage, cyclePlace * 8 + part, in: range)
            }
            let deep = Self.deepMinutes[index]
            let rem = Self.remMinutes[index]
            stretches.add(.light, length(0, 10...20))
            stretches.add(.deep, deep == 0 ? 0 : length(1, deep - 4...deep + 4))
            stretches.add(.light, length(2, 12...22))
            stretches.add(.rem, length(3, rem - 4...rem + 4))
            stretches.add(.light, length(4, 4...14))
            if noise.happens(.cycle, cyclePlace, percent: 40) {
                stretches.add(.awake, length(5, 1...6))
            }
            cycle += 1
        }
        return stretches.stretches
    }

    /// Collects stages until the time is used up.
    private struct StretchList {
        var stretches: [SleepSpan.Stretch] = []
        var remaining: Int

        init(remaining: Int) {
            self.remaining = remaining
            stretches.reserveCapacity(32)
        }

        mutating func add(_ stage: SleepStage, _ minutes: Int) {
            var minutes = min(minutes, remaining)
            guard minutes > 0 else { return }
            remaining -= minutes
            if let last = stretches.last, last.stage == stage {
                minutes += Int(last.minutes)
                stretches.removeLast()
            }
            stretches.append(SleepSpan.Stretch(stage, minutes: minutes))
        }
    }
}
