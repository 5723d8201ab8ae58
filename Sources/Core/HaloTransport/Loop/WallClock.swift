public import HaloProtocol

/// A local date and time with its offset from UTC.
public struct WallClock: Hashable, Sendable {
    /// The local date and time.
    public let local: CivilDateTime
    /// The seconds by which local time is ahead of UTC.
    public let secondsFromUTC: Int

    /// Creates a local date and time with its offset from UTC.
    public init(local: CivilDateTime, secondsFromUTC: Int) {
        self.local = local
        self.secondsFromUTC = secondsFromUTC
    }

    /// The same moment in UTC.
    public var utc: CivilDateTime {
        local.advanced(bySeconds: secondsFromUTC == .min ? .max : -secondsFromUTC)
    }

    /// The offset from UTC, as `+01:00`.
    package var offset: String {
        let minutes = abs(secondsFromUTC / 60)
        let (hours, rest) = (DecimalText.two(minutes / 60), DecimalText.two(minutes % 60))
        return "\(secondsFromUTC < 0 ? "-" : "+")\(hours):\(rest)"
    }
}
