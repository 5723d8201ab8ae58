public import HaloDevices
public import HaloProtocol

/// What an addition has changed in a ``HealthStore``.
public struct HealthChanges: Hashable, Sendable {
    /// Something that the user of the ring should be told.
    public enum Notice: Hashable, Sendable {
        /// The ring's clock had shown another day. The values that it stored after the last read
        /// were moved to the right days, or kept if the clock may have been right elsewhere.
        case clockWasWrong(ClockShift)
        /// The ring's clock was set back, because its time zone has changed. What it had stored at
        /// these times on the old clock, after the last read, is to come on the new one: it is left
        /// out, and the ring writes over it.
        case clockWasSetBack(Range<CivilDateTime>)
        /// The ring no longer has values of days of which the file has some: it was reset, or
        /// another app has deleted its data. The file keeps the values.
        case wasReset(days: [CivilDate])
        /// The profile in the ring is of another person than at the last read, by its sex, its
        /// height or a lower age: the values of two people may be mixed in the file.
        case otherWearer
        /// So many rows of another program's file have no time or value that a ring can have, or
        /// are from more than a day after the last sync: they are left out.
        case rowsWereLeftOut(Int)
    }

    /// The values that were not in the file before, by their kinds.
    public internal(set) var added: [HistoryKind: Int] = [:]
    /// The values that the ring has changed; the file keeps the old ones as replaced.
    public internal(set) var replaced: [HistoryKind: Int] = [:]
    /// What the user should be told.
    public internal(set) var notices: [Notice] = []

    init() {}

    /// `true` if no value was added or replaced.
    public var isEmpty: Bool { added.isEmpty && replaced.isEmpty }
}

extension HealthChanges.Notice: CustomStringConvertible {
    /// The notice in a sentence.
    public var description: String {
        switch self {
        case .clockWasWrong(let shift):
            shift.mayBeTimeZoneChange
                ? "the ring's clock was \(shift), as in another time zone; its values are kept as "
                    + "they are"
                : "the ring's clock was \(shift); values that it has stored since the last read "
                    + "were moved to the right days"
        case .clockWasSetBack(let times):
            "the ring's clock was set back, as its time zone has changed; what it had stored since "
                + "the last read, from \(times.lowerBound) to \(times.upperBound) on the old "
                + "clock, is left out"
        case .wasReset(let days):
            "the ring no longer has values of \(days.map(\.description).joined(separator: ", ")),"
                + " which the file keeps: it was reset, or another app has deleted its data"
        case .otherWearer:
            "the profile in the ring is of another person now; give each person a file, so that "
                + "their values are not mixed"
        case .rowsWereLeftOut(let count):
            "\(count == 1 ? "1 row was" : "\(count) rows were") left out: without a time or value "
                + "that a ring can have, or from more than a day after the last sync"
        }
    }
}
