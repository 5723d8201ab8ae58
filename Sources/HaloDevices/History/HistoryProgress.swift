/// How far a long read has come.
public struct HistoryProgress: Hashable, Sendable {
    /// How many requests have ended, in an answer or not.
    public let step: Int
    /// How many there are in all.
    public let count: Int
    /// What the last of them was about.
    public let kind: HistoryKind
    /// The day that it was about, where it was about one.
    public let daysAgo: Int?

    /// A step of a read.
    public init(step: Int, count: Int, kind: HistoryKind, daysAgo: Int? = nil) {
        self.step = step
        self.count = count
        self.kind = kind
        self.daysAgo = daysAgo
    }

    /// From 0 to 1.
    public var fraction: Double { count == 0 ? 1 : Double(step) / Double(count) }
}

extension HistoryProgress: CustomStringConvertible {
    /// `3 of 32: heart rate, 2 days ago`.
    public var description: String { "\(step) of \(count): \(kind.words(daysAgo: daysAgo))" }
}
