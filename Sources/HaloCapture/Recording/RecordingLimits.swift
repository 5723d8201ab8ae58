/// How much a recorder keeps: when it is more, the oldest exchanges are forgotten.
public struct RecordingLimits: Hashable, Sendable {
    /// How long the text of what is kept may be, in bytes, more or less; in memory it is some
    /// times that.
    public var byteCount: Int
    /// How old the oldest may be, counted back from the newest; without, any age.
    public var age: Duration?

    /// Limits for what is kept.
    public init(byteCount: Int = 1 << 20, age: Duration? = nil) {
        self.byteCount = max(0, byteCount)
        self.age = age
    }
}
