#if os(Linux)
/// A fault in the bytes of a message, or in a message that is to be encoded.
package struct DBusWireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A category of faults, with its text for people.
    package enum Kind: String, Sendable {
        /// The bytes end too early.
        case truncated = "more bytes are due"
        /// The first byte is neither `l` nor `B`.
        case wrongEndianness = "no byte order"
        /// The protocol's version is not 1.
        case wrongVersion = "a version that is not known"
        /// The message type is invalid.
        case wrongMessageType = "no type of message"
        /// A message or an array is longer than allowed.
        case tooLong = "longer than allowed"
        /// Containers are nested deeper than allowed.
        case tooDeep = "deeper than allowed"
        /// A signature is invalid.
        case wrongSignature = "no valid signature"
        /// An object path is invalid.
        case wrongPath = "no valid object path"
        /// The name of a bus, an interface, a member or an error is invalid.
        case wrongName = "no valid name"
        /// A string is not UTF-8, contains NUL, or does not end with NUL.
        case wrongText = "no valid text"
        /// A boolean is neither 0 nor 1.
        case wrongBoolean = "neither true nor false"
        case wrongPadding = "padding that is not zero"
        /// A value has another type than its container declares.
        case wrongType = "a value of another type"
        /// A required header field is missing, or a field occurs twice.
        case wrongHeader = "a header field missing, or there twice"
        /// The serial number is zero.
        case wrongSerial = "no serial number"
        /// Bytes are left over.
        case excess = "more bytes than are due"
        /// A value names a file descriptor that did not come with the message.
        case missingDescriptor = "a descriptor that did not come"
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
