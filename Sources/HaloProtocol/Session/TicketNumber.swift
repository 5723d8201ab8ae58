/// Which request of a session is meant.
public struct TicketNumber: Hashable, Sendable {
    /// The session's number for it; numbers are not used twice.
    public let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension TicketNumber: CustomStringConvertible {
    /// `#12`.
    public var description: String { "#\(rawValue)" }
}
