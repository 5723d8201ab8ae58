public import HaloProtocol

/// The stored values of one day.
struct StoredDay: Sendable {
    let date: CivilDate
    /// The slots of all series, one series after another.
    var slots = [UInt8](repeating: 0, count: SlotSeries.bytesPerDay)
    /// The activity by quarter or hour.
    var activity: [StoredActivity]
    var totals = Movement.none
    var sleepMinutes = 0

    init(_ date: CivilDate, _ minutes: RingRetention.ActivityMinutes) {
        self.date = date
        activity = [StoredActivity](
            repeating: StoredActivity(), count: 1440 / minutes.rawValue)
    }
}

/// The activity of a slot, in the units of the ring's log.
struct StoredActivity: Hashable, Sendable {
    /// The energy in tens of small calories.
    var energy: UInt16 = 0
    var steps: UInt16 = 0
    var metres: UInt16 = 0

    var isEmpty: Bool { self == StoredActivity() }

    /// Adds the movement between two sums of the day. The sums are converted to whole units before
    /// the subtraction, so that small additions are not lost.
    mutating func add(from before: Movement, to after: Movement) {
        energy = UInt16(
            clamping: Int(energy) + after.smallCalories / 10 - before.smallCalories / 10)
        steps = UInt16(clamping: Int(steps) + after.steps - before.steps)
        metres = UInt16(clamping: Int(metres) + after.metres - before.metres)
    }
}

/// A night or a nap as stored by a ring, by its own clock.
struct StoredSleep: Sendable {
    let start: CivilDateTime
    let end: CivilDateTime
    let stages: [SleepSpan.Stretch]

    /// The sleep filed under the day of its end, or `nil` for a future day.
    func period(today: CivilDate, days: Int) -> SleepPeriod? {
        let daysAgo = end.date.daysAgo(from: today)
        guard 0..<days ~= daysAgo else { return nil }
        return try? SleepPeriod(
            daysAgo: UInt8(clamping: daysAgo), start: start.time, end: end.time,
            stages: stages.map { SleepPeriod.Stage($0.stage, minutes: $0.minutes) })
    }
}

/// A stored value.
package struct StoredEvent: Hashable, Sendable {
    /// The time of storing, on the ring's clock.
    package let time: CivilDateTime
    /// The kind of value.
    package let content: Content

    init(_ time: CivilDateTime, _ content: Content) {
        self.time = time
        self.content = content
    }

    /// The kind of value.
    package enum Content: Hashable, Sendable {
        /// A heart rate in beats per minute.
        case heartRate(UInt8)
        /// A stress score.
        case stress(UInt8)
        /// A heart-rate variability in milliseconds.
        case variability(UInt8)
        /// A blood oxygen in percent.
        case bloodOxygen(UInt8)
        /// A skin temperature in tenths of a degree above 20 °C.
        case temperature(UInt8)
        /// An activity record whose hour is over.
        case activity
        /// A night.
        case night
        /// A nap.
        case nap
    }
}

/// A night or a nap to be stored.
struct PendingSleep: Sendable {
    /// The sleep of the wearer.
    let span: SleepSpan
    let isNap: Bool

    /// The seconds from waking until the ring stores the sleep; a guess.
    private static let delay: Int64 = 1800
    /// The shortest stored sleep in minutes; a guess.
    private static let leastMinutes = 20

    /// The time of storing, in seconds of the wearer's clock.
    var due: Int64 { Int64(span.end.secondsSince1970) + Self.delay }

    /// The part of the sleep that a ring records when it was worn in these spans: from the first to
    /// the last worn minute, with the gaps as awake. `nil` if less than ``leastMinutes`` remains.
    func clipped(to worn: [Range<Int64>]) -> SleepSpan? {
        let start = Int64(span.start.secondsSince1970)
        let end = start + Int64(span.minutes) * 60
        if worn.contains(where: { $0.lowerBound <= start && end <= $0.upperBound }) {
            return span
        }
        var stages: [SleepSpan.Stretch] = []
        var begin: Int64?
        var minute = start
        for stretch in span.stages {
            for _ in 0..<stretch.minutes {
                let isWorn = worn.contains {
                    $0.lowerBound <= minute && minute + 60 <= $0.upperBound
                }
                if isWorn && begin == nil { begin = minute }
                if begin != nil { Self.add(isWorn ? stretch.stage : .awake, to: &stages) }
                minute += 60
            }
        }
        while stages.last?.stage == .awake { stages.removeLast() }
        guard let begin, stages.reduce(0, { $0 + Int($1.minutes) }) >= Self.leastMinutes
        else { return nil }
        return SleepSpan(
            start: CivilDateTime(secondsSince1970: UInt32(clamping: begin)), stages: stages)
    }

    private static func add(_ stage: SleepStage, to stages: inout [SleepSpan.Stretch]) {
        guard let last = stages.last, last.stage == stage, last.minutes < .max else {
            stages.append(SleepSpan.Stretch(stage, minutes: 1))
            return
        }
        stages[stages.count - 1] = SleepSpan.Stretch(stage, minutes: Int(last.minutes) + 1)
    }
}

extension BodyClock {
    /// The next night or nap to be stored after a second of the wearer's clock.
    mutating func nextSleep(after second: Int64) -> PendingSleep? {
        guard let time = UInt32(exactly: second) else { return nil }
        let sleeps = pendingSleeps(around: CivilDateTime(secondsSince1970: time))
        return sleeps.filter { $0.due > second }.min { $0.due < $1.due }
    }

    /// The nights and the naps around a time, as pending sleep.
    mutating func pendingSleeps(around time: CivilDateTime) -> [PendingSleep] {
        let (nights, naps) = sleeps(around: time)
        return nights.map { PendingSleep(span: $0, isNap: false) }
            + naps.map { PendingSleep(span: $0, isNap: true) }
    }
}

extension SlotSeries {
    /// The byte for a slot, and the event that reports it.
    func value(of state: BodyState) -> (UInt8, StoredEvent.Content) {
        switch self {
        case .heartRate: (state.beatsPerMinute, .heartRate(state.beatsPerMinute))
        case .stress: (state.stress, .stress(state.stress))
        case .variability:
            (state.variabilityMilliseconds, .variability(state.variabilityMilliseconds))
        case .bloodOxygen: (state.bloodOxygenPercent, .bloodOxygen(state.bloodOxygenPercent))
        case .temperature: temperature(state)
        case .hourEnd: (0, .activity)
        }
    }

    private func temperature(_ state: BodyState) -> (UInt8, StoredEvent.Content) {
        let byte = SkinTemperature.byte(tenthsOfCelsius: state.skinTemperatureTenths)
        return (byte, .temperature(byte))
    }
}

/// A workout as stored by a ring.
public struct RingWorkout: Hashable, Sendable {
    /// The sport of the workout.
    public var sport: Sport
    /// The start by the ring's clock.
    public var start: CivilDateTime
    /// The length in seconds.
    public var seconds: Int
    /// The movement of the wearer during the workout.
    public var movement: Movement
    /// Heart rates in beats per minute, one each second; 0 for no value.
    public var samples: [UInt8]

    /// The maximum number of samples of one workout: one hour. The limit of real rings is not
    /// known.
    public static let mostSamples = 3600

    /// Creates a workout; samples beyond ``mostSamples`` are dropped.
    public init(
        sport: Sport, start: CivilDateTime, seconds: Int, movement: Movement,
        samples: [UInt8]
    ) {
        self.sport = sport
        self.start = start
        self.seconds = seconds
        self.movement = movement
        self.samples = Array(samples.prefix(Self.mostSamples))
    }

    /// The lowest, the average and the highest heart rate; zeros without a heart rate.
    public var heartRates: (least: UInt8, average: UInt8, most: UInt8) {
        let rates = samples.filter { $0 > 0 }
        guard let least = rates.min(), let most = rates.max() else { return (0, 0, 0) }
        let sum = rates.reduce(0) { $0 + Int($1) }
        return (least, UInt8(clamping: (sum + rates.count / 2) / rates.count), most)
    }
}
