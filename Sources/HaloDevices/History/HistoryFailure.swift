/// A part of a history that could not be read.
public struct HistoryFailure: Hashable, Sendable {
    /// What was asked for.
    public let kind: HistoryKind
    /// The day that was asked for, where it was one.
    public let daysAgo: Int?
    /// Why it did not come.
    public let error: DeviceError

    /// A part that did not come.
    public init(kind: HistoryKind, daysAgo: Int? = nil, error: DeviceError) {
        self.kind = kind
        self.daysAgo = daysAgo
        self.error = error
    }
}

extension HistoryFailure: CustomStringConvertible {
    /// What was asked for, and why it did not come.
    public var description: String { "\(kind.words(daysAgo: daysAgo)): \(error)" }
}
