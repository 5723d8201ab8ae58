public import HaloProtocol
public import HaloTransport

/// What is known of a ring's clock: what ties the ring's days and times to the world's.
public struct RingClock: Hashable, Sendable {
    /// How many seconds the ring's clock is ahead of UTC, or is taken to be.
    public let secondsFromUTC: Int
    /// Whether this program has set it; if not, it is an assumption.
    public let wasSet: Bool

    /// A clock.
    public init(secondsFromUTC: Int, wasSet: Bool) {
        self.secondsFromUTC = secondsFromUTC
        self.wasSet = wasSet
    }

    /// What it shows when a clock on the wall shows something; clocks end at 1970 and in 2106.
    public func reading(_ clock: WallClock) -> CivilDateTime {
        clock.utc.advanced(bySeconds: secondsFromUTC)
    }

    /// The moment in UTC when it showed something.
    public func utc(_ time: CivilDateTime) -> CivilDateTime {
        time.advanced(bySeconds: secondsFromUTC == .min ? .max : -secondsFromUTC)
    }
}
