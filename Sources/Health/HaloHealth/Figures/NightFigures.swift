public import HaloDevices

/// The sleep of one night, by the stages that the ring has stored.
public struct NightFigures: Hashable, Sendable, Codable {
    /// The beginning of the first stage of sleep, on the ring's clock.
    public let fellAsleep: CivilDateTime
    /// The end of the last stage of sleep, on the ring's clock.
    public let woke: CivilDateTime
    /// The minutes of light, deep and REM sleep. They are counted, and so are right even if the
    /// clock was set during the night.
    public let asleepMinutes: Int
    /// The minutes of light sleep.
    public let lightMinutes: Int
    /// The minutes of deep sleep.
    public let deepMinutes: Int
    /// The minutes of REM sleep.
    public let remMinutes: Int
    /// The minutes awake, including those between two parts of the night.
    public let awakeMinutes: Int
    /// The minutes that the ring has not classified: they count neither as asleep nor as awake.
    public let unclassifiedMinutes: Int

    /// The sleep efficiency, from 0 to 1: the share of the time asleep in that asleep or awake.
    ///
    /// Reed and Sacco, 2016, "Measuring Sleep Efficiency: What Should the Denominator Be?" divide
    /// by the duration of the sleep episode. Ours is the night as the ring has stored it: the ring
    /// does not know when its wearer begins to try to sleep, so the value is higher than that of a
    /// sleep diary.
    public var efficiency: Double {
        let period = Double(asleepMinutes) + Double(awakeMinutes)
        return period > 0 ? Double(asleepMinutes) / period : 0
    }
}

extension NightFigures: CustomStringConvertible {
    /// `489 min asleep from 2026-01-12 23:42:00 to 2026-01-13 08:05:00, efficiency 97 %`.
    public var description: String {
        "\(asleepMinutes) min asleep from \(fellAsleep) to \(woke), efficiency "
            + "\(FigureNumber.text(efficiency * 100, decimals: 0)) %"
    }
}
