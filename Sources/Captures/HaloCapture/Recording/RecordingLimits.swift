/// The limits of a recorder in memory: beyond them, the oldest exchanges are dropped.
public struct RecordingLimits: Hashable, Sendable {
    /// The approximate length of the kept text in bytes; the lines take several times as much
    /// memory.
    public var byteCount: Int
    /// The maximum age of a line, compared with the newest one; `nil` for no limit.
    public var age: Duration?

    /// Creates limits of length and age.
    public init(byteCount: Int = 1 << 20, age: Duration? = nil) {
        self.byteCount = max(0, byteCount)
        self.age = age
    }
}
