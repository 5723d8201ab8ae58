/// A reason why a figure has no value.
public enum MissingData: Hashable, Sendable, Codable {
    /// The day was not read, or not all of it.
    case notRead
    /// The ring was read before the day was over, and next when it kept the day no longer.
    case notSynced
    /// The ring does not support the kind of values.
    case unsupported
    /// The ring has stored no value of the kind on that day.
    case noValues
    /// The ring has stored nothing at all on that day.
    case notWorn
    /// The ring has stored no night that ended on that day: it was not worn, its wearer has not
    /// slept, or it keeps no night for so long.
    case noNight
    /// The ring has stored the night without stages of sleep.
    case noStages
    /// The ring's unit of energy is not known.
    case unknownUnit
    /// Neither the age nor the maximum heart rate of the wearer is given.
    case noMaximumHeartRate
    /// Another clock of the ring, which was wrong, has shown the day as well: see the history's
    /// `uncertainTimes`.
    case uncertainDay
    /// There are fewer values, nights or days than the definition needs.
    case tooFew(Int, of: Int, Counted)

    /// The things that a definition needs a number of.
    public enum Counted: String, Hashable, Sendable, Codable {
        /// Stored values.
        case values
        /// Nights with a value.
        case nights
        /// Nights of which the next one is known as well.
        case pairsOfNights = "pairs of nights"
        /// Days with a value.
        case days
    }
}

extension MissingData: CustomStringConvertible {
    /// The reason in words, as `needs 4 nights, has 2`.
    public var description: String {
        switch self {
        case .notRead: "not read"
        case .notSynced: "not synced in time"
        case .unsupported: "not supported by the ring"
        case .noValues: "no values stored"
        case .notWorn: "not worn"
        case .noNight: "no night stored"
        case .noStages: "no stages of sleep"
        case .unknownUnit: "the ring's unit of energy is not known"
        case .noMaximumHeartRate: "neither age nor maximum heart rate given"
        case .uncertainDay: "the ring's clock showed this day twice"
        case .tooFew(let count, let needed, let things):
            "needs \(needed) \(needed == 1 ? things.one : things.rawValue), has \(count)"
        }
    }
}

extension MissingData.Counted {
    fileprivate var one: String {
        switch self {
        case .values: "value"
        case .nights: "night"
        case .pairsOfNights: "pair of nights"
        case .days: "day"
        }
    }
}
