public import HaloProtocol

/// A while of walking, running or cycling.
public struct Exertion: Hashable, Sendable {
    /// Which of them.
    public let activity: BodyActivity
    /// When it began.
    public let start: CivilDateTime
    /// How long it took.
    public let minutes: Int

    /// When it ended.
    public var end: CivilDateTime { start.advanced(bySeconds: 60 * minutes) }
}
