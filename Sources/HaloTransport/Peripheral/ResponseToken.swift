/// Which request an answer belongs to.
public struct ResponseToken: Hashable, Sendable {
    /// The host's number for it.
    public let rawValue: UInt32

    /// A request by its host's number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}
