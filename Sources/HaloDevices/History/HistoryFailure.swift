/// A part of a history that could not be read.
public struct HistoryFailure: Hashable, Sendable {
    /// What was asked for.
    public let kind: HistoryKind
    /// The day that was asked for, where it was one.
    public let daysAgo: Int?
    /// Why it did not come.
    public let error: DeviceError
}
