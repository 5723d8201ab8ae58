#if os(Linux)
package struct DBusAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A category of errors, with its text for people.
    package enum Kind: String, Sendable {
        case empty = "no address"
        case noTransport = "no transport and colon"
        case noValue = "no key with a value"
        case twice = "a key that is there twice"
        /// A percent sign lacks its two digits, or the bytes are not UTF-8.
        case wrongEscape = "no escaped character"
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
