/// The progress of ``Ring/history(_:days:progress:)``.
public struct HistoryProgress: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number of requests that have ended, with a reply or without.
    public let step: Int
    /// The number of all requests, as far as is known: it grows while the ring turns out to hold
    /// more days than rings are known to hold.
    public let count: Int
    /// The kind of values that the last request was for.
    public let kind: HistoryKind
    /// The day of the last request, in days before today; `nil` if it was not of one day.
    public let daysAgo: Int?

    /// Creates a value, for previews and tests.
    public init(step: Int, count: Int, kind: HistoryKind, daysAgo: Int? = nil) {
        self.step = step
        self.count = count
        self.kind = kind
        self.daysAgo = daysAgo
    }

    /// The completed fraction of the read, from 0 to 1.
    public var fraction: Double { count == 0 ? 1 : Double(step) / Double(count) }

    /// `3 of 32: heart rate, 2 days ago`.
    public var description: String { "\(step) of \(count): \(kind.words(daysAgo: daysAgo))" }
}
