#if os(Linux)
/// A syntax error of an address list.
package struct DBusAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A category of errors, with its text for people.
    package enum Kind: String, Sendable {
        case empty = "no address"
        /// An address does not begin with a transport and a colon.
        case noTransport = "no transport and colon"
        /// A key has no value, or a value no key.
        case noValue = "no key with a value"
        /// A key occurs twice.
        case twice = "a key that is there twice"
        /// A percent sign lacks its two digits, or the bytes are not UTF-8.
        case wrongEscape = "no escaped character"
        /// A character needs an escape.
        case unescaped = "a character that has to be escaped"
    }

    package let kind: Kind
    /// The offset in bytes.
    package let offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    package var description: String { "\(kind.rawValue) at byte \(offset)" }
}
#endif
