public import HaloProtocol

/// A person who exists only as a few numbers, and from whom all values of a virtual device come.
///
/// Everything about the person at a moment follows from these numbers and the civil date and time
/// by whole-number arithmetic: nothing is drawn, nothing is remembered, so any moment can be asked
/// for in any order, and the same person has the same week on every machine. ``BodyClock`` asks
/// fast where many moments of a day are wanted.
///
/// The person sleeps at night, from the usual bedtime on, later at weekends; walks a little in most
/// hours, to work and back on weekdays and for longer in the afternoon at weekends; eats three
/// times; runs or cycles on some days of each week; naps now and then; and is under stress at
/// times on weekdays. People who work at night are not modelled. Saturday and Sunday are the
/// weekend. The person lives by one civil clock, without changes to summer time.
///
/// Values beyond their limits are moved to the nearest limit.
public struct Wearer: Hashable, Sendable {
    /// What makes the person's days differ from those of another with the same numbers.
    public let seed: UInt64
    /// The heart rate in deep sleep in beats per minute: 35 to 100, and 60 if not said.
    public let restingHeartRate: Int
    /// The heart-rate variability in light sleep in milliseconds: 10 to 150, 45 if not said.
    public let restingHeartRateVariability: Int
    /// The blood oxygen when awake in percent: 90 to 98, 97 if not said.
    public let bloodOxygenPercent: Int
    /// How stressed the person is on an ordinary day: 5 to 70, 35 if not said.
    public let stressLevel: Int
    /// The skin's usual temperature in tenths of a degree Celsius: 340 to 380, 364 if not said.
    public let skinTemperatureTenths: Int
    /// How many steps the person takes on an ordinary day: 500 to 30,000, 8,000 if not said.
    public let stepsPerDay: Int
    /// On how many days of each week the person runs or cycles: 0 to 7, 3 if not said.
    public let exerciseDaysPerWeek: Int
    /// When the person falls asleep before a working day: 20:00 to 03:00, 23:00 if not said.
    public let bedtime: CivilTime
    /// When the person wakes on a working day: 04:00 to 11:59, 07:00 if not said.
    public let wakeTime: CivilTime
    /// The age in years, which limits the heart rate: 10 to 100, 35 if not said.
    public let age: Int
    /// The height, from which the length of a step follows: 120 to 220, 175 if not said.
    public let heightCentimetres: Int
    /// The weight, from which the energy of a step follows: 30 to 200, 70 if not said.
    public let weightKilograms: Int

    /// A person; whatever is not said is as of an average grown-up.
    ///
    /// A bedtime that is none is moved to 20:00 or, from 03:00 to 11:30, to 03:00.
    public init(
        seed: UInt64 = 1, restingHeartRate: Int = 60, restingHeartRateVariability: Int = 45,
        bloodOxygenPercent: Int = 97, stressLevel: Int = 35, skinTemperatureTenths: Int = 364,
        stepsPerDay: Int = 8_000, exerciseDaysPerWeek: Int = 3, bedtime: CivilTime? = nil,
        wakeTime: CivilTime? = nil, age: Int = 35, heightCentimetres: Int = 175,
        weightKilograms: Int = 70
    ) {
        self.seed = seed
        self.restingHeartRate = restingHeartRate.limited(to: 35...100)
        self.restingHeartRateVariability = restingHeartRateVariability.limited(to: 10...150)
        self.bloodOxygenPercent = bloodOxygenPercent.limited(to: 90...98)
        self.stressLevel = stressLevel.limited(to: 5...70)
        self.skinTemperatureTenths = skinTemperatureTenths.limited(to: 340...380)
        self.stepsPerDay = stepsPerDay.limited(to: 500...30_000)
        self.exerciseDaysPerWeek = exerciseDaysPerWeek.limited(to: 0...7)
        self.bedtime = Self.nightly(bedtime ?? .minute(23 * 60))
        self.wakeTime = .minute((wakeTime?.minuteOfDay ?? 7 * 60).limited(to: 240...719))
        self.age = age.limited(to: 10...100)
        self.heightCentimetres = heightCentimetres.limited(to: 120...220)
        self.weightKilograms = weightKilograms.limited(to: 30...200)
    }

    /// The highest heart rate that the person reaches: 208 less seven tenths of the age.
    public var highestHeartRate: Int { (2080 - 7 * age) / 10 }

    /// How far a walking step goes: 0.43 of the height, as captured between 0.7 and 0.8 m.
    public var stepMillimetres: Int { heightCentimetres * 43 / 10 }

    /// The energy of a walking step: 58 small calories for 70 kg, as captured.
    public var caloriesPerStep: Int { weightKilograms * 83 / 100 }

    private static func nightly(_ time: CivilTime) -> CivilTime {
        let minute = time.minuteOfDay
        if minute <= 180 || minute >= 1200 { return time }
        return .minute(minute < 690 ? 180 : 1200)
    }
}

extension CivilTime {
    static func minute(_ minuteOfDay: Int) -> CivilTime {
        (try? CivilTime(minuteOfDay: minuteOfDay)) ?? .midnight
    }
}

extension FixedWidthInteger {
    func limited(to range: ClosedRange<Self>) -> Self {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
