#if os(Linux)
/// Why nobody was let in.
public struct DBusAuthenticationError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The bus does not know this user.
        public static let rejected = Kind(code: 0)
        /// The other side says something that has no place there.
        public static let unexpected = Kind(code: 1)
        /// The other side talks without end.
        public static let lineTooLong = Kind(code: 2)
    }

    /// What went wrong.
    public let kind: Kind

    /// Says what went wrong.
    public init(_ kind: Kind) {
        self.kind = kind
    }
}

extension DBusAuthenticationError: CustomStringConvertible {
    /// One sentence.
    public var description: String { "\(kind)" }
}

extension DBusAuthenticationError.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .rejected: "the bus does not let this user in"
        case .lineTooLong: "the bus talks without end before it lets anybody in"
        default: "the bus does not speak D-Bus before it lets anybody in"
        }
    }
}
#endif
