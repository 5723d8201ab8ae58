#if os(Linux)
/// Why bytes are no message, or a message cannot be written: what is wrong, and where.
public struct DBusWireError: Error, Hashable, Sendable {
    /// What is wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// More bytes are due than there are.
        public static let truncated = Kind(code: 0)
        /// The first byte is neither `l` nor `B`.
        public static let wrongEndianness = Kind(code: 1)
        /// The protocol's version is not 1.
        public static let wrongVersion = Kind(code: 2)
        /// The type of the message is none.
        public static let wrongMessageType = Kind(code: 3)
        /// A message or an array is longer than allowed.
        public static let tooLong = Kind(code: 4)
        /// Containers lie deeper in each other than allowed.
        public static let tooDeep = Kind(code: 5)
        /// A signature is not valid.
        public static let wrongSignature = Kind(code: 6)
        /// The path of an object is not valid.
        public static let wrongPath = Kind(code: 7)
        /// The name of a bus, an interface, a member or an error is not valid.
        public static let wrongName = Kind(code: 8)
        /// Text is not UTF-8, has a NUL in it, or does not end with one.
        public static let wrongText = Kind(code: 9)
        /// A boolean is neither 0 nor 1.
        public static let wrongBoolean = Kind(code: 10)
        /// Bytes between values are not zero.
        public static let wrongPadding = Kind(code: 11)
        /// Values are not of the type that is declared for them.
        public static let wrongType = Kind(code: 12)
        /// A header field is missing that a message of this type has to have, or is there twice.
        public static let wrongHeader = Kind(code: 13)
        /// The serial number is zero.
        public static let wrongSerial = Kind(code: 14)
        /// Bytes are left over.
        public static let excess = Kind(code: 15)
        /// A file descriptor is spoken of that did not come with the message.
        public static let missingDescriptor = Kind(code: 16)
    }

    /// What is wrong.
    public let kind: Kind
    /// Where, in bytes.
    public let offset: Int

    /// Says what is wrong where.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension DBusWireError: CustomStringConvertible {
    /// One sentence, with the place.
    public var description: String { "\(kind) at byte \(offset)" }
}

extension DBusWireError.Kind: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .truncated: "more bytes are due"
        case .wrongEndianness: "no byte order"
        case .wrongVersion: "a version that is not known"
        case .wrongMessageType: "no type of message"
        case .tooLong: "longer than allowed"
        case .tooDeep: "deeper than allowed"
        case .wrongSignature: "no valid signature"
        case .wrongPath: "no valid object path"
        case .wrongName: "no valid name"
        case .wrongText: "no valid text"
        case .wrongBoolean: "neither true nor false"
        case .wrongPadding: "padding that is not zero"
        case .wrongType: "a value of another type"
        case .wrongHeader: "a header field missing, or there twice"
        case .wrongSerial: "no serial number"
        case .excess: "more bytes than are due"
        case .missingDescriptor: "a descriptor that did not come"
        default: "something is wrong"
        }
    }
}
#endif
