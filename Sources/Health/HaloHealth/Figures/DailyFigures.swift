public import HaloDevices

/// The figures of one day on the ring's clock, made by ``HealthFigures``.
///
/// A day is from midnight to midnight as the ring's clock showed them. The night is the one that
/// ended on that day. All are summaries of what the ring has stored: none is a diagnosis.
public struct DailyFigures: Hashable, Sendable, Codable {
    /// The day.
    public let day: CivilDate

    // MARK: Movement

    /// The number of steps.
    ///
    /// The sum of the slots that begin on the day; for today the ring's own count, if that was
    /// read. No published definition is needed.
    /// Needs the activity of the day, and one value of any kind: a day without any was a day
    /// without the ring, not one without steps.
    public let steps: Figure<Int>
    /// The distance in metres, summed as ``steps`` are.
    public let metres: Figure<Int>
    /// The energy of moving in kilocalories, summed as ``steps`` are; missing if the ring's unit is
    /// not known.
    public let kilocalories: Figure<Double>
    /// The hours of the clock, from 0 to 24, with at least one step.
    ///
    /// No published definition; ours takes a single step, as many rings sum up whole hours.
    public let hoursWithMovement: Figure<Int>

    // MARK: Heart rate

    /// The resting heart rate in beats per minute: the lowest mean of three successive values,
    /// each at most 30 minutes after the one before.
    ///
    /// There is no accepted definition (Speed et al., 2023, "Measure by measure: Resting heart rate
    /// across the 24-hour cycle", who take the lowest heart rate of 24 hours while inactive). Ours
    /// is of the day from midnight, and takes three values, so that a single wrong one does not
    /// count. Needs 24 values on the day.
    public let restingBeatsPerMinute: Figure<Double>
    /// The lowest stored heart rate of the day in beats per minute. Needs one value.
    public let lowestBeatsPerMinute: Figure<Int>
    /// The highest stored heart rate of the day in beats per minute. Needs one value.
    public let highestBeatsPerMinute: Figure<Int>
    /// The mean of the day's stored heart rates in beats per minute. Needs one value.
    public let averageBeatsPerMinute: Figure<Double>
    /// The time in zones of the heart rate. Needs the age or the maximum heart rate of the wearer,
    /// one value, and any day of the history whose values show the interval of the ring.
    public let heartRateZones: Figure<HeartRateZones>

    // MARK: Sleep

    /// The night that ended on the day.
    ///
    /// Nights of the ring that are at most two hours apart are one night; of several, the one with
    /// most sleep counts. The night of today is one so far, if it ended within the last hour before
    /// the read.
    public let night: Figure<NightFigures>
    /// Sleep that ended on the day, and is not of its night.
    public let naps: Figure<NapFigures>
    /// The Sleep Regularity Index over the last seven nights, from 100 for the same hours each
    /// night down to -100; 0 is chance.
    ///
    /// Phillips et al., 2017, "Irregular sleep/wake patterns are associated with poorer academic
    /// performance and delayed circadian and sleep/wake timing": the share of minutes that are
    /// asleep or awake as 24 hours later, scaled to -100 and 100. Ours is by the ring's clock, from
    /// noon to noon; nothing is known of a day without a night, so a night without sleep counts as
    /// missing. Needs 4 pairs of successive nights, the last of them the night of the day.
    public let sleepRegularity: Figure<Double>

    // MARK: Heart-rate variability

    /// The mean heart-rate variability of the night in milliseconds.
    ///
    /// No published definition; ours is the mean of the values stored during the night. Which
    /// statistic of the intervals the ring stores is not known. Needs 3 values.
    public let heartRateVariability: Figure<Double>
    /// The mean of ``heartRateVariability`` over the 28 days before, in milliseconds.
    ///
    /// No published definition; ours needs 4 of these nights.
    public let heartRateVariabilityBaseline: Figure<Double>
    /// The mean of ``heartRateVariability`` over seven nights, the last of them the night of the
    /// day, minus its mean over the 28 nights before these, in milliseconds.
    ///
    /// Plews et al., 2014, "Monitoring training with heart rate-variability: how much compliance is
    /// needed for valid assessment?", compare means of weeks, and ask for 3 values in each; theirs
    /// are of the logarithm of another statistic, so ours has no published limits. Needs 3 nights
    /// of the week, and 4 of those before.
    public let heartRateVariabilityTrend: Figure<Double>

    // MARK: Others

    /// The blood oxygen of the night. Needs 3 values during the night.
    public let oxygen: Figure<NightOxygen>
    /// The mean temperature of the skin during the night, minus its mean over the nights of the 28
    /// days before, in degrees Celsius.
    ///
    /// No published definition; ours needs 3 values in each night, and 4 earlier nights. The
    /// temperature of a finger is not that of the body: only its changes are meaningful.
    public let temperatureDeviation: Figure<Double>
    /// The mean of the day's stress scores.
    ///
    /// No published definition: the score is the vendor's. Needs one value.
    public let stress: Figure<Double>
}

extension DailyFigures: CustomStringConvertible {
    /// The day and its figures with their units: `2026-01-13; 822 steps so far; …`. Figures
    /// without a value are left out.
    public var description: String {
        func number(_ name: FigureDefinition, _ figure: Figure<Double>) -> String? {
            figure.value.map { _ in "\(name): \(name.text(of: figure))" }
        }
        func count(_ name: FigureDefinition, _ figure: Figure<Int>) -> String? {
            number(name, figure.map { Double($0) })
        }
        func words<Value>(_ name: FigureDefinition, _ figure: Figure<Value>) -> String? {
            figure.value.map { _ in "\(name): \(figure)" }
        }
        let parts = [
            "\(day)", steps.value.map { _ in FigureDefinition.steps.text(of: steps) },
            count(.metres, metres),
            number(.kilocalories, kilocalories), count(.hoursWithMovement, hoursWithMovement),
            number(.restingBeatsPerMinute, restingBeatsPerMinute),
            count(.lowestBeatsPerMinute, lowestBeatsPerMinute),
            count(.highestBeatsPerMinute, highestBeatsPerMinute),
            number(.averageBeatsPerMinute, averageBeatsPerMinute),
            words(.heartRateZones, heartRateZones), words(.night, night), words(.naps, naps),
            number(.sleepRegularity, sleepRegularity),
            number(.heartRateVariability, heartRateVariability),
            number(.heartRateVariabilityBaseline, heartRateVariabilityBaseline),
            number(.heartRateVariabilityTrend, heartRateVariabilityTrend),
            words(.oxygen, oxygen), number(.temperatureDeviation, temperatureDeviation),
            number(.stress, stress),
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }
}
