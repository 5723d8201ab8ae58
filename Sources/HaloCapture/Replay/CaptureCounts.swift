/// How much of what is in a capture.
public struct CaptureCounts: Hashable, Sendable {
    /// Packets, with what was cut into pieces as one.
    public internal(set) var packets = 0
    /// Packets that were decoded.
    public internal(set) var decoded = 0
    /// Packets that are not what they should be.
    public internal(set) var refused = 0
    /// Packets that nobody has described.
    public internal(set) var unknown = 0
    /// Replies of many frames that are whole.
    public internal(set) var longReplies = 0
    /// Connections, one after another or side by side.
    public internal(set) var connections = 0
    /// Requests to a ring that a session can send.
    public internal(set) var requests = 0
    /// Those that a session completes with what was recorded.
    public internal(set) var completed = 0
    /// Those that the ring refused.
    public internal(set) var refusals = 0
    /// Those for which nothing came.
    public internal(set) var unanswered = 0
    /// Those for which not everything came, or nothing that answers them.
    public internal(set) var incomplete = 0
    /// Reports of measurements and workouts, and what a ring says of itself.
    public internal(set) var reports = 0
    /// What else a ring said that nobody had asked for.
    public internal(set) var unsolicited = 0
    /// Measurements of a heart-rate sensor.
    public internal(set) var measurements = 0
    /// Beats that a heart-rate sensor told of.
    public internal(set) var beats: UInt64 = 0
}
