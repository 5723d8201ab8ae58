/// A token of a read or a write, which assigns a response to its request.
public struct ResponseToken: Hashable, Sendable {
    /// The host's number of the request.
    public let rawValue: UInt32

    /// Creates a token from the host's number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
