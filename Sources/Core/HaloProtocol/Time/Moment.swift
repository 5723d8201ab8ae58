/// A point in time in microseconds since an origin that the caller chooses.
///
/// Sessions, virtual devices and captures use it. On a real link the origin is the start of the
/// program, on virtual time the start of the simulation. Arithmetic saturates instead of trapping.
@frozen
public struct Moment: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let microseconds: Int64

    /// The origin, 0 µs.
    @inlinable public static var origin: Moment { Moment(microseconds: 0) }
    /// The latest moment.
    @inlinable public static var distantFuture: Moment { Moment(microseconds: .max) }

    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Returns the moment `count` microseconds later; the sum saturates.
    @inlinable
    public func advanced(byMicroseconds count: Int64) -> Moment {
        let (sum, overflow) = microseconds.addingReportingOverflow(count)
        return Moment(microseconds: overflow ? (count < 0 ? .min : .max) : sum)
    }

    /// Returns the microseconds from another moment to this one; the difference saturates.
    @inlinable
    public func microseconds(since other: Moment) -> Int64 {
        let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
        return overflow ? (microseconds < other.microseconds ? .min : .max) : difference
    }

    static func earlier(_ one: Moment?, _ other: Moment?) -> Moment? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Returns the moment to which a session's time advances from this, its latest one.
    ///
    /// Time never goes back, and stays far enough from its limits to compute deadlines.
    func moved(to moment: Moment, deadline: Moment?) -> Moment {
        let half = Int64.max / 2
        let latest = max(Moment(microseconds: half), deadline ?? self)
        return max(self, Moment(microseconds: -half), min(moment, latest))
    }

    /// Returns the duration from another moment to this one.
    public func duration(since other: Moment) -> Duration {
        .microseconds(microseconds(since: other))
    }

    /// Returns the moment a duration later, in whole microseconds.
    public static func + (moment: Moment, duration: Duration) -> Moment {
        moment.advanced(byMicroseconds: duration.wholeMicroseconds)
    }

    /// Returns the moment a duration earlier, in whole microseconds.
    public static func - (moment: Moment, duration: Duration) -> Moment {
        let count = duration.wholeMicroseconds
        return moment.advanced(byMicroseconds: count == .min ? .max : -count)
    }

    /// Returns `true` if the left moment is earlier.
    @inlinable
    public static func < (left: Moment, right: Moment) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The seconds with six decimals: `12.345678 s`.
    public var description: String {
        let magnitude = microseconds.magnitude
        let digits = "\(magnitude % 1_000_000)"
        let zeros = String(repeating: "0", count: 6 - digits.utf8.count)
        return "\(microseconds < 0 ? "-" : "")\(magnitude / 1_000_000).\(zeros)\(digits) s"
    }
}

extension Duration {
    /// The components, with the seconds saturated to 64 bits.
    ///
    /// A duration has 128 bits, and a decoded one may use all of them: `components` traps then.
    package var saturatedComponents: (seconds: Int64, attoseconds: Int64) {
        let longest = Duration.seconds(Int64.max)
        return min(max(self, .zero - longest), longest).components
    }

    /// The duration in whole microseconds, saturated to 64 bits.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = saturatedComponents
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}
