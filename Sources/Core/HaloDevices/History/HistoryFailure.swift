/// A part of a history that could not be read.
public struct HistoryFailure: Hashable, Sendable {
    /// The requested kind of values.
    public let kind: HistoryKind
    /// The requested day, in days before today; `nil` if the request was not of one day.
    public let daysAgo: Int?
    /// The reason.
    public let error: DeviceError

    /// Creates a failure.
    package init(kind: HistoryKind, daysAgo: Int? = nil, error: DeviceError) {
        self.kind = kind
        self.daysAgo = daysAgo
        self.error = error
    }
}

/// A coding of the error as its kind, without its causes.
extension HistoryFailure: Codable {
    private enum CodingKeys: CodingKey {
        case kind, daysAgo, error
    }

    /// Decodes a failure. Its error has only the kind.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            kind: try values.decode(HistoryKind.self, forKey: .kind),
            daysAgo: try values.decodeIfPresent(Int.self, forKey: .daysAgo),
            error: DeviceError(try values.decode(DeviceError.Kind.self, forKey: .error)))
    }

    /// Encodes a failure with the kind of its error.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(daysAgo, forKey: .daysAgo)
        try values.encode(error.kind, forKey: .error)
    }
}

extension HistoryFailure: CustomStringConvertible {
    /// The part and the error: `stress, 1 day ago: the device did not answer.`
    public var description: String { "\(kind.words(daysAgo: daysAgo)): \(error)" }
}
