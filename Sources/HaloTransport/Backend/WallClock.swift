public import HaloProtocol

/// What a clock on the wall shows.
public struct WallClock: Hashable, Sendable {
    /// The day and the time of day, here.
    public let local: CivilDateTime
    /// How many seconds the clock here is ahead of UTC.
    public let secondsFromUTC: Int

    /// A clock.
    public init(local: CivilDateTime, secondsFromUTC: Int) {
        self.local = local
        self.secondsFromUTC = secondsFromUTC
    }

    /// The same moment in UTC.
    public var utc: CivilDateTime {
        local.advanced(bySeconds: secondsFromUTC == .min ? .max : -secondsFromUTC)
    }
}
