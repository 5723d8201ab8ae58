package import HaloTransport

/// The policy for a ring's clock when it is connected to.
///
/// A ring has no time zone and no request for the time. It shows the time that the last app has
/// set, and counts its days from its own midnight. Setting the clock puts stored days out of reach,
/// so they are read before: ``Ring/historyBeforeClockChange``.
public enum ClockPolicy: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The clock is set to the time of a zone.
    case set(Zone)
    /// The clock is left alone; days and times are assumed to be of a zone.
    case leave(assuming: Zone)

    /// The clock is left alone, and assumed to show the local time.
    public static let leave = ClockPolicy.leave(assuming: .local)

    /// The zone of a ring's clock.
    public enum Zone: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The time zone of the computer. Its offset from UTC holds until the clock is set again.
        case local
        case utc
        /// A zone with an offset: the number of seconds by which it is ahead of UTC.
        case secondsFromUTC(Int)

        /// Returns the seconds by which the zone is ahead of UTC, for the wall clock of a computer.
        package func secondsFromUTC(_ clock: WallClock) -> Int {
            switch self {
            case .local: clock.secondsFromUTC
            case .utc: 0
            case .secondsFromUTC(let seconds): seconds
            }
        }

        /// The zone in words: `local time`, `UTC` or `UTC+2`.
        public var description: String {
            switch self {
            case .local: "local time"
            case .utc: "UTC"
            case .secondsFromUTC(let seconds): Wording.offset(secondsFromUTC: seconds)
            }
        }
    }

    /// The zone that the ring shows, or is assumed to show.
    package var zone: Zone {
        switch self {
        case .set(let zone), .leave(let zone): zone
        }
    }

    /// The policy in words: `the clock is set to local time`.
    public var description: String {
        switch self {
        case .set(let zone): "the clock is set to \(zone)"
        case .leave(let zone): "the clock is left alone, and assumed to show \(zone)"
        }
    }
}
