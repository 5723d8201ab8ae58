/// Which stream of a session is meant.
public struct StreamNumber: Hashable, Sendable {
    /// The session's number for it; numbers are not used twice.
    public let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
