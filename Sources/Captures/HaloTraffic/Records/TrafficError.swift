/// The reason why a file of traffic cannot be read further, and its file offset.
///
/// All records before that offset were read and count.
public struct TrafficError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of error; more may be added.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The error in words.
        public let description: String

        /// The file is not in a known format.
        public static let unknownFormat = Kind("this is in no known format")
        /// The file begins like a known format, but in an unknown version.
        package static let unknownVersion = Kind("this version is not known here")
        /// The format is known, but its content is not Bluetooth, or in an unknown form.
        package static let unknownContent = Kind("the content of the file is not supported")
        /// The file ends in the middle of a record.
        public static let truncated = Kind("the file ends in the middle")
        /// A length is impossible.
        package static let wrongLength = Kind("this length cannot be right")
        /// A record is longer than any Bluetooth packet.
        package static let recordTooLong = Kind("this is longer than any Bluetooth packet")
        /// A mandatory field is missing, or two copies of a field differ.
        package static let malformed = Kind("this is not what should be here")
        /// The text is in an encoding other than UTF-8 and ASCII.
        package static let wrongEncoding = Kind("the text is not UTF-8")
        /// The file has no bytes.
        package static let empty = Kind("the file is empty")
        /// The file exceeds a limit of memory.
        package static let tooMuch = Kind("there is more than is kept in memory")
        /// The file unpacks to more bytes than its length explains.
        package static let tooLong = Kind("the file is too long")
        /// Compressed data contradicts itself.
        package static let damaged = Kind("the compressed data is damaged")
        /// Unpacked data does not have the checksum or the length that was stored with it.
        package static let wrongChecksum = Kind("what was unpacked is not what was packed")
        /// An archive has several logs, or none.
        package static let noEntry = Kind("the archive has several logs, or none")
        /// The file has no conversation with a device, or not the selected one.
        public static let noConversation = Kind(
            "there is no conversation with a device, or not the one asked for")

        private init(_ description: String) {
            self.description = description
        }
    }

    /// The kind of error.
    public let kind: Kind
    /// The file offset of the error.
    public let offset: Int
    /// The number found in the file, or `nil` if it would not explain the error.
    package let found: Int?
    /// The number of missing bytes, or `nil` if none are missing.
    package let missing: Int?
    /// A hint in words of this package, or `nil`; never bytes of a file.
    public let hint: String?

    init(
        _ kind: Kind, at offset: Int, found: Int? = nil, missing: Int? = nil, hint: String? = nil
    ) {
        self.kind = kind
        self.offset = offset
        self.found = found
        self.missing = missing
        self.hint = hint
    }

    /// The same error, in a file that was unpacked on the way.
    var unpacked: TrafficError {
        let note = "counted in the unpacked file"
        return TrafficError(
            kind, at: offset, found: found, missing: missing,
            hint: hint.map { "\($0); \(note)" } ?? note)
    }

    /// The error of a file that ends within a unit of at least `count` bytes, or that is empty.
    static func cut(_ rest: Span<UInt8>, at offset: Int, needs count: Int) -> TrafficError {
        if rest.isEmpty, offset == 0 { return TrafficError(.empty, at: 0) }
        return TrafficError(.truncated, at: offset, missing: max(count - rest.count, 1))
    }

    /// The error of a file whose packets, on all interfaces, are not Bluetooth.
    static func unknownLinkType(_ field: UInt32, at offset: Int) -> TrafficError {
        TrafficError(
            .unknownContent, at: offset, found: Int(clamping: field),
            hint: "a link type of tcpdump.org's list; "
                + "187, 192, 201, 251, 254, 256 and 272 are read")
    }

    /// One sentence with the file offset before it: the error, and the remedy. A missing
    /// conversation has no offset.
    public var description: String {
        if kind == .noConversation { return "\(hint ?? kind.description)." }
        var text = "at byte \(offset): \(kind)"
        if let found { text += ": found \(found)" }
        if let missing {
            text += missing == 1 ? ": 1 byte is missing" : ": \(missing) bytes are missing"
        }
        if let hint { text += "; \(hint)" }
        return text + "."
    }
}
