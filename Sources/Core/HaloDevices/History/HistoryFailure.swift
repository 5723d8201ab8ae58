/// A part of a history that could not be read.
public struct HistoryFailure: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The requested kind of values.
    public let kind: HistoryKind
    /// The requested day, in days before today; `nil` if the request was not of one day.
    public let daysAgo: Int?
    /// The reason.
    public let error: DeviceError

    /// Creates a value, for previews and tests.
    public init(kind: HistoryKind, daysAgo: Int? = nil, error: DeviceError) {
        self.kind = kind
        self.daysAgo = daysAgo
        self.error = error
    }

    /// The part and the error: `stress, 1 day ago: the device did not answer.`
    public var description: String { "\(kind.words(daysAgo: daysAgo)): \(error)" }
}
