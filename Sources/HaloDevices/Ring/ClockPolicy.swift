public import HaloTransport

/// What becomes of a ring's clock when it is connected to.
///
/// A ring has no time zone: it shows what the last app has set, counts its days from its own
/// midnight, and cannot be asked for the time. What setting it would put out of reach is read
/// before; ``Ring/readBeforeClockWasSet`` has it.
public enum ClockPolicy: Hashable, Sendable {
    /// It is set to the time of a zone, after what would be out of reach then has been read.
    case set(Zone)
    /// It is left alone; days and times are taken to be those of a zone.
    case leave(assuming: Zone)

    /// It is left alone, and taken to show the local time.
    public static let leave = ClockPolicy.leave(assuming: .local)

    /// Which zone's time a ring shows.
    public enum Zone: Hashable, Sendable {
        /// That of the computer; what it is at the time of setting holds until it is set again.
        case local
        /// That of UTC.
        case utc
        /// So many seconds ahead of UTC.
        case secondsFromUTC(Int)

        /// How many seconds it is ahead of UTC, by a clock on the wall.
        public func secondsFromUTC(_ clock: WallClock) -> Int {
            switch self {
            case .local: clock.secondsFromUTC
            case .utc: 0
            case .secondsFromUTC(let seconds): seconds
            }
        }
    }

    /// The zone that a ring shows, or is taken to show.
    public var zone: Zone {
        switch self {
        case .set(let zone), .leave(let zone): zone
        }
    }
}
