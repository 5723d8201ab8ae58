#if os(Linux)
/// Why a text is no list of addresses.
public struct DBusAddressError: Error, Hashable, Sendable {
    /// What is wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// There is no address at all.
        public static let empty = Kind(code: 0)
        /// No transport stands before a colon.
        public static let noTransport = Kind(code: 1)
        /// A key has no value, or a value no key.
        public static let noValue = Kind(code: 2)
        /// A key is there twice.
        public static let twice = Kind(code: 3)
        /// A percent sign without two digits behind it, or bytes that are no text.
        public static let wrongEscape = Kind(code: 4)
        /// A character that may only stand there escaped.
        public static let unescaped = Kind(code: 5)
    }

    /// What is wrong.
    public let kind: Kind
    /// At which byte of the text, counted from 0.
    public let offset: Int

    /// Says what is wrong where.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension DBusAddressError: CustomStringConvertible {
    /// One sentence, with the place.
    public var description: String { "\(kind) at byte \(offset)" }
}

extension DBusAddressError.Kind: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .empty: "no address"
        case .noTransport: "no transport and colon"
        case .noValue: "no key with a value"
        case .twice: "a key that is there twice"
        case .wrongEscape: "no escaped character"
        case .unescaped: "a character that has to be escaped"
        default: "something is wrong"
        }
    }
}
#endif
