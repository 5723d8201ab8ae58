#if os(Linux)
/// The reason why the authentication failed.
package struct DBusAuthenticationError: Error, Hashable, Sendable {
    /// A category of errors; more can be added.
    package struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// A short text for people.
        package let description: String

        private init(_ description: String) { self.description = description }

        package static let rejected = Kind("the bus does not let this user in")
        /// The other side breaks the protocol.
        package static let unexpected = Kind("the bus does not speak D-Bus while it authenticates")
        /// The other side exceeds the length of a line, or the number of lines.
        package static let lineTooLong = Kind("the bus sends too much while it authenticates")
    }

    /// The category.
    package let kind: Kind

    package init(_ kind: Kind) {
        self.kind = kind
    }
}

extension DBusAuthenticationError: CustomStringConvertible {
    /// One sentence.
    package var description: String { "\(kind)" }
}
#endif
