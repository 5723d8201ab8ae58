public import HaloDevices
public import HaloProtocol

/// What an addition has changed in a ``HealthStore``.
public struct HealthChanges: Hashable, Sendable {
    /// Something that the user of the ring should be told.
    public enum Notice: Hashable, Sendable {
        /// The ring's clock had shown another day. The values that it stored after the last read
        /// were moved to the right days.
        case clockWasWrong(ClockShift)
        /// The ring's clock had shown another day, and may have been right in another time zone.
        /// Its values were kept as they are. With a `RingOptions.earlierZone` at the first sync the
        /// zone is known, and the clock was wrong.
        case clockMayBeOfOtherZone(ClockShift)
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

        /// `true` for a clock that had shown another day.
        var isOfClock: Bool {
            switch self {
            case .clockWasWrong, .clockMayBeOfOtherZone: true
            case .clockWasSetBack, .wasReset, .otherWearer, .rowsWereLeftOut: false
            }
        }
    }

    /// The values that were not in the file before, by their kinds.
    public internal(set) var added: [HistoryKind: Int] = [:]
    /// The values that the ring has changed; the file keeps the old ones as replaced.
    public internal(set) var replaced: [HistoryKind: Int] = [:]
    /// What the user should be told.
    public internal(set) var notices: [Notice] = []

    init() {}

    /// Adds the changes of an earlier addition.
    mutating func add(_ earlier: HealthChanges) {
        added.merge(earlier.added, uniquingKeysWith: +)
        replaced.merge(earlier.replaced, uniquingKeysWith: +)
        notices = earlier.notices.filter { !notices.contains($0) } + notices
    }

    /// `true` if no value was added or replaced.
    public var isEmpty: Bool { added.isEmpty && replaced.isEmpty }
}

extension HealthChanges: CustomStringConvertible {
    /// The numbers by kind, in the order of kinds, and the notices: `heart rate: 288 new, 1
    /// corrected; sleep: 1 new`.
    public var description: String {
        let kinds = HistoryKind.allCases.compactMap { kind -> String? in
            let numbers = [(added[kind], "new"), (replaced[kind], "corrected")].compactMap {
                number, word in number.map { "\($0) \(word)" }
            }
            return numbers.isEmpty ? nil : "\(kind): \(numbers.joined(separator: ", "))"
        }
        let words = (isEmpty ? ["nothing new"] : kinds) + notices.map(\.description)
        return words.joined(separator: "; ")
    }
}

extension HealthChanges.Notice: CustomStringConvertible {
    /// The notice in a sentence.
    public var description: String {
        switch self {
        case .clockWasWrong(let shift):
            "the ring's clock was \(shift); values that it has stored since the last read were "
                + "moved to the right days"
        case .clockMayBeOfOtherZone(let shift):
            "the ring's clock was \(shift), as in another time zone; its values are kept as they "
                + "are"
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
