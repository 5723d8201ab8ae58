/// The number of a request within its session.
public struct RequestNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number; it is not used again in the same session.
    package let rawValue: UInt64

    /// The number as text: `#12`.
    public var description: String { "#\(rawValue)" }
}
