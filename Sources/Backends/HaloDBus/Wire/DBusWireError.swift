#if os(Linux)
/// A fault in the bytes of a message, in a message that is to be encoded, or in the text of an
/// address.
package struct DBusWireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A category of faults, with its text for people.
    package enum Kind: String, Sendable {
        case truncated = "more bytes are due"
        /// The first byte is neither `l` nor `B`.
        case wrongEndianness = "no byte order"
        case wrongVersion = "a version that is not known"
        case wrongMessageType = "no type of message"
        case tooLong = "longer than allowed"
        case tooDeep = "deeper than allowed"
        case wrongSignature = "no valid signature"
        case wrongPath = "no valid object path"
        /// The name of a bus, an interface, a member or an error is invalid.
        case wrongName = "no valid name"
        /// A string is not UTF-8, contains NUL, or does not end with NUL.
        case wrongText = "no valid text"
        case wrongBoolean = "neither true nor false"
        case wrongPadding = "padding that is not zero"
        /// A value has another type than its container declares.
        case wrongType = "a value of another type"
        case wrongHeader = "a header field missing, or there twice"
        case wrongSerial = "no serial number"
        case excess = "more bytes than are due"
        case missingDescriptor = "a descriptor that did not come"
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
