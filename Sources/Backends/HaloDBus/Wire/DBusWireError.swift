#if os(Linux)
/// A fault in the bytes of a message, or in a message that is to be encoded.
package struct DBusWireError: Error, Hashable, Sendable {
    /// A category of faults; more can be added.
    package struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// A short text for people.
        package let description: String

        private init(_ description: String) { self.description = description }

        /// The bytes end too early.
        package static let truncated = Kind("more bytes are due")
        /// The first byte is neither `l` nor `B`.
        package static let wrongEndianness = Kind("no byte order")
        /// The protocol's version is not 1.
        package static let wrongVersion = Kind("a version that is not known")
        /// The message type is invalid.
        package static let wrongMessageType = Kind("no type of message")
        /// A message or an array is longer than allowed.
        package static let tooLong = Kind("longer than allowed")
        /// Containers are nested deeper than allowed.
        package static let tooDeep = Kind("deeper than allowed")
        /// A signature is invalid.
        package static let wrongSignature = Kind("no valid signature")
        /// An object path is invalid.
        package static let wrongPath = Kind("no valid object path")
        /// The name of a bus, an interface, a member or an error is invalid.
        package static let wrongName = Kind("no valid name")
        /// A string is not UTF-8, contains NUL, or does not end with NUL.
        package static let wrongText = Kind("no valid text")
        /// A boolean is neither 0 nor 1.
        package static let wrongBoolean = Kind("neither true nor false")
        package static let wrongPadding = Kind("padding that is not zero")
        /// A value has another type than its container declares.
        package static let wrongType = Kind("a value of another type")
        /// A required header field is missing, or a field occurs twice.
        package static let wrongHeader = Kind("a header field missing, or there twice")
        /// The serial number is zero.
        package static let wrongSerial = Kind("no serial number")
        /// Bytes are left over.
        package static let excess = Kind("more bytes than are due")
        /// A value names a file descriptor that did not come with the message.
        package static let missingDescriptor = Kind("a descriptor that did not come")
    }

    /// The category.
    package let kind: Kind
    /// The offset in bytes.
    package let offset: Int

    /// Creates a fault.
    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension DBusWireError: CustomStringConvertible {
    /// One sentence, with the position.
    package var description: String { "\(kind) at byte \(offset)" }
}
#endif
