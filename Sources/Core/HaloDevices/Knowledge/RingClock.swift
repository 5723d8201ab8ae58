public import HaloProtocol
package import HaloTransport

/// A current or earlier clock of a ring: the offset of its days and times from UTC.
public struct RingClock: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The seconds by which the clock is ahead of UTC, or is assumed to be.
    public let secondsFromUTC: Int
    /// `true` if a program has set the clock and the ring has confirmed it; `false` for an
    /// assumption.
    public let wasSet: Bool
    /// The time that the clock showed when it was set; `nil` for a clock that, as far as is known,
    /// was never set.
    public let since: CivilDateTime?
    /// The difference to the clock before, if that one showed another day that no known clock
    /// explains; otherwise `nil`.
    ///
    /// Values that the ring has stored before have wrong dates.
    public let shift: ClockShift?

    /// Creates a clock.
    public init(
        secondsFromUTC: Int, wasSet: Bool, since: CivilDateTime? = nil, shift: ClockShift? = nil
    ) {
        self.secondsFromUTC = secondsFromUTC
        self.wasSet = wasSet
        self.since = since
        self.shift = shift
    }

    /// Returns the time that the clock shows at the time of a wall clock, within 1970 and 2106.
    package func reading(_ clock: WallClock) -> CivilDateTime {
        clock.utc.advanced(bySeconds: secondsFromUTC)
    }

    /// Returns the time in UTC at which the clock showed a time.
    public func utc(of time: CivilDateTime) -> CivilDateTime {
        WallClock(local: time, secondsFromUTC: secondsFromUTC).utc
    }

    /// `true` if the clock was sent to the ring, but not confirmed.
    var isInDoubt: Bool { !wasSet && since != nil }

    func confirmed(_ wasSet: Bool) -> RingClock {
        RingClock(secondsFromUTC: secondsFromUTC, wasSet: wasSet, since: since, shift: shift)
    }

    /// The times that a wrong clock before this one may have shown, as far as a ring holds values
    /// of them; `nil` if no wrong clock is known. The moment at which the clock went wrong is not
    /// known, so the times may begin before it.
    var wrongTimes: Range<CivilDateTime>? {
        guard let since, let shift else { return nil }
        let longest = 31 * 86_400
        let end = since.advanced(bySeconds: shift.lowestSeconds.negated)
        let start = since.advanced(bySeconds: shift.highestSeconds.negated)
        return min(start.advanced(bySeconds: -longest), end)..<end
    }

    /// The clock in words: `UTC+2, set on 2026-04-05 at 12:00:00; the clock before was 3 days
    /// ahead`.
    public var description: String {
        let zone = Wording.offset(secondsFromUTC: secondsFromUTC)
        var words = wasSet ? zone : "assumed to be \(zone)"
        if let since {
            words += wasSet ? ", set on " : ", sent but not confirmed on "
            words += "\(since.date) at \(since.time)"
        }
        return shift.map { "\(words); the clock before was \($0)" } ?? words
    }
}

extension Int {
    fileprivate var negated: Int { self == .min ? .max : -self }
}
