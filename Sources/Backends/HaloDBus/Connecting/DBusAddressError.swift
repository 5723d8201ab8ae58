#if os(Linux)
/// A syntax error of an address list.
package struct DBusAddressError: Error, Hashable, Sendable {
    /// A category of errors; more can be added.
    package struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// A short text for people.
        package let description: String

        private init(_ description: String) { self.description = description }

        /// The list is empty.
        package static let empty = Kind("no address")
        /// An address does not begin with a transport and a colon.
        package static let noTransport = Kind("no transport and colon")
        /// A key has no value, or a value no key.
        package static let noValue = Kind("no key with a value")
        /// A key occurs twice.
        package static let twice = Kind("a key that is there twice")
        /// A percent sign lacks its two digits, or the bytes are not UTF-8.
        package static let wrongEscape = Kind("no escaped character")
        /// A character needs an escape.
        package static let unescaped = Kind("a character that has to be escaped")
    }

    /// The category.
    package let kind: Kind
    /// The offset in bytes.
    package let offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension DBusAddressError: CustomStringConvertible {
    /// One sentence, with the position.
    package var description: String { "\(kind) at byte \(offset)" }
}
#endif
