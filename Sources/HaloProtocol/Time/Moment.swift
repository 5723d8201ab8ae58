/// A point on a timeline of microseconds whose origin the caller chooses.
///
/// Sessions, virtual devices and captures count time so: on a real link the origin is when the
/// program began, on virtual time when the simulation did. It stays at its ends and never traps.
@frozen
public struct Moment: Hashable, Sendable {
    /// Microseconds since the origin.
    public let microseconds: Int64

    /// Where the timeline begins.
    @inlinable public static var origin: Moment { Moment(microseconds: 0) }
    /// Later than everything.
    @inlinable public static var distantFuture: Moment { Moment(microseconds: .max) }

    /// So many microseconds after the origin, or before it if negative.
    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The moment so many microseconds later; the ends of the timeline hold.
    @inlinable
    public func advanced(byMicroseconds count: Int64) -> Moment {
        let (sum, overflow) = microseconds.addingReportingOverflow(count)
        return Moment(microseconds: overflow ? (count < 0 ? .min : .max) : sum)
    }

    /// Microseconds from another moment to this one; the ends of the timeline hold.
    @inlinable
    public func microseconds(since other: Moment) -> Int64 {
        let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
        return overflow ? (microseconds < other.microseconds ? .min : .max) : difference
    }

    /// The earlier of two moments that may not be there.
    static func earlier(_ one: Moment?, _ other: Moment?) -> Moment? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// What a session takes a moment for, this being the latest that it knows: time never goes
    /// back, and leaves room for what is waited for.
    func moved(to moment: Moment, deadline: Moment?) -> Moment {
        let half = Int64.max / 2
        let latest = max(Moment(microseconds: half), deadline ?? self)
        return max(self, Moment(microseconds: -half), min(moment, latest))
    }

    /// How long it is from another moment to this one.
    public func duration(since other: Moment) -> Duration {
        .microseconds(microseconds(since: other))
    }

    /// The moment a duration later; what is shorter than a microsecond is dropped.
    public static func + (moment: Moment, duration: Duration) -> Moment {
        moment.advanced(byMicroseconds: duration.wholeMicroseconds)
    }

    /// The moment a duration earlier.
    public static func - (moment: Moment, duration: Duration) -> Moment {
        let count = duration.wholeMicroseconds
        return moment.advanced(byMicroseconds: count == .min ? .max : -count)
    }
}

extension Moment: Comparable {
    /// The earlier one is less.
    @inlinable
    public static func < (left: Moment, right: Moment) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension Moment: CustomStringConvertible {
    /// Seconds with six decimals: `12.345678 s`.
    public var description: String {
        let magnitude = microseconds.magnitude
        let digits = "\(magnitude % 1_000_000)"
        let zeros = String(repeating: "0", count: 6 - digits.utf8.count)
        return "\(microseconds < 0 ? "-" : "")\(magnitude / 1_000_000).\(zeros)\(digits) s"
    }
}

extension Duration {
    /// The duration in whole microseconds; durations beyond what 64 bits hold stay at their end.
    public var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}
