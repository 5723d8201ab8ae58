public import HaloProtocol

/// A person described by a few numbers, from which all values of a virtual device are derived.
///
/// The state at a time follows from these numbers and the civil date and time by integer
/// arithmetic, without stored state. So any moment can be computed in any order, and the same
/// person has the same week on every machine. `BodyClock` is fast for many moments of a day.
///
/// The person sleeps at night from the usual bedtime on, later at weekends; walks a little in most
/// hours, to work and back on weekdays and for longer on weekend afternoons; eats three times; runs
/// or cycles on some days of each week; naps at times; and is under stress at times on weekdays.
/// Night work is not modelled. Saturday and Sunday are the weekend. The person lives by one civil
/// clock, without daylight saving.
///
/// Values beyond their limits are clamped.
public struct Wearer: Hashable, Sendable {
    /// The seed: people with the same numbers and different seeds have different days.
    package let seed: UInt64
    /// The heart rate in deep sleep in beats per minute: 35 to 100, by default 60.
    package let restingHeartRate: Int
    /// The heart-rate variability in light sleep in milliseconds: 10 to 150, by default 45.
    package let restingHeartRateVariability: Int
    /// The blood oxygen while awake in percent: 90 to 98, by default 97.
    package let bloodOxygenPercent: Int
    /// The stress on an ordinary day: 5 to 70, by default 35.
    package let stressLevel: Int
    /// The usual skin temperature in tenths of a degree Celsius: 340 to 380, by default 364.
    package let skinTemperatureTenths: Int
    /// The steps on an ordinary day: 500 to 30,000, by default 8,000.
    package let stepsPerDay: Int
    /// The days of each week with a run or a ride: 0 to 7, by default 3.
    package let exerciseDaysPerWeek: Int
    /// The beginning of sleep before a working day: 20:00 to 03:00, by default 23:00.
    package let bedtime: CivilTime
    /// The time of waking on a working day: 04:00 to 11:59, by default 07:00.
    package let wakeTime: CivilTime
    /// The age in years, which limits the heart rate: 10 to 100, by default 35.
    package let ageYears: Int
    /// The height in centimetres, which determines the step length: 120 to 220, by default 175.
    package let heightCentimetres: Int
    /// The weight in kilograms, which determines the energy of a step: 30 to 200, by default 70.
    package let weightKilograms: Int

    /// Creates a person, by default with the numbers of an average adult.
    ///
    /// A bedtime in the daytime is moved to 20:00 or, from 03:00 to 11:30, to 03:00.
    public init(
        seed: UInt64 = 1, restingHeartRate: Int = 60, restingHeartRateVariability: Int = 45,
        bloodOxygenPercent: Int = 97, stressLevel: Int = 35, skinTemperatureTenths: Int = 364,
        stepsPerDay: Int = 8_000, exerciseDaysPerWeek: Int = 3, bedtime: CivilTime? = nil,
        wakeTime: CivilTime? = nil, ageYears: Int = 35, heightCentimetres: Int = 175,
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
        self.ageYears = ageYears.limited(to: 10...100)
        self.heightCentimetres = heightCentimetres.limited(to: 120...220)
        self.weightKilograms = weightKilograms.limited(to: 30...200)
    }

    var noise: SeededNoise { SeededNoise(seed: seed) }

    package var highestHeartRate: Int { (2080 - 7 * ageYears) / 10 }

    /// The length of a walking step in millimetres: 0.43 of the height, as captured between 0.7 and
    /// 0.8 m.
    package var stepMillimetres: Int { heightCentimetres * 43 / 10 }

    /// The energy of a walking step in small calories: 58 for 70 kg, as captured.
    package var smallCaloriesPerStep: Int { weightKilograms * 83 / 100 }

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
