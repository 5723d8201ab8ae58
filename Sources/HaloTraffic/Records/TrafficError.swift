/// The reason why a file of traffic cannot be read further, and its file offset.
///
/// All records before that offset were read and count.
public struct TrafficError: Error, Hashable, Sendable {
    /// A kind of error; more may be added.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The error in words.
        public let description: String

        /// The file is not in a known format.
        public static let unknownFormat = Kind("this is in no known format")
        /// The file begins like a known format, but in an unknown version.
        public static let unknownVersion = Kind("this version is not known here")
        /// The format is known, but its content is not Bluetooth, or in an unknown form.
        public static let unknownContent = Kind("what the file holds is not read here")
        /// The file ends in the middle of a record.
        public static let truncated = Kind("the file ends in the middle")
        /// A length is impossible.
        public static let wrongLength = Kind("this length cannot be right")
        /// A record is longer than any Bluetooth packet.
        public static let recordTooLong = Kind("this is longer than anything of Bluetooth")
        /// A mandatory field is missing, or two copies of a field differ.
        public static let malformed = Kind("this is not what has to be here")
        /// The text is in an encoding other than UTF-8 and ASCII.
        public static let wrongEncoding = Kind("the text is not UTF-8")
        /// The file has no bytes.
        public static let empty = Kind("the file is empty")
        /// The file exceeds a limit of memory.
        public static let tooMuch = Kind("there is more than is kept in memory")
        /// Compressed data contradicts itself.
        public static let damaged = Kind("the compressed data is damaged")
        /// Unpacked data does not have the checksum or the length that was stored with it.
        public static let wrongChecksum = Kind("what was unpacked is not what was packed")
        /// An archive has several logs, or none.
        public static let noEntry = Kind("the archive has several logs, or none")
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
    public let found: Int?
    /// The number of missing bytes, or `nil` if none are missing.
    public let missing: Int?
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
}

extension TrafficError: CustomStringConvertible {
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

/// An irregularity in a file of traffic that does not stop the reading.
public struct TrafficOddity: Hashable, Sendable {
    let code: UInt8

    /// A packet is shorter than its own length field.
    public static let shortPacket = TrafficOddity(code: 0)
    /// The recorder kept only the beginning of a packet.
    public static let cutByRecorder = TrafficOddity(code: 1)
    /// A time is earlier than that of the previous record.
    public static let timeBackwards = TrafficOddity(code: 2)
    /// A fragment continues no packet, or exceeds the length of its packet.
    public static let strayFragment = TrafficOddity(code: 3)
    /// A packet was begun but not completed.
    public static let unfinishedPacket = TrafficOddity(code: 4)
    /// A packet has an unknown type.
    public static let unknownPacket = TrafficOddity(code: 5)
    /// A response without a request.
    public static let strayResponse = TrafficOddity(code: 6)
    /// A request without a response.
    public static let unanswered = TrafficOddity(code: 7)
    /// A packet in the air has a wrong CRC.
    public static let wrongCRC = TrafficOddity(code: 8)
    /// The same packet was received again: the other side did not acknowledge it.
    public static let repeated = TrafficOddity(code: 9)
    /// The recorder reports lost packets.
    public static let lostByRecorder = TrafficOddity(code: 10)
    /// The link is encrypted, and its later packets cannot be read.
    public static let encrypted = TrafficOddity(code: 11)
    /// Attributes over a classic (BR/EDR) link, which are not decoded.
    public static let otherBearer = TrafficOddity(code: 12)
    /// The device requested the other side's attributes; the request is left out.
    public static let askedByDevice = TrafficOddity(code: 13)
    /// A line is not part of the log.
    public static let unknownLine = TrafficOddity(code: 14)
    /// There are more connections, attributes or bytes than are decoded.
    public static let beyondLimits = TrafficOddity(code: 15)
    /// A packet is followed by bytes that its own length does not count.
    public static let longPacket = TrafficOddity(code: 16)
    /// A classic (BR/EDR) connection, which is not decoded.
    public static let classicLink = TrafficOddity(code: 17)
    /// Several values were received as one, and their boundaries are not known.
    public static let undividedValues = TrafficOddity(code: 18)
    /// A packet of a connection that has just ended.
    public static let afterEnd = TrafficOddity(code: 19)
}

extension TrafficOddity: CustomStringConvertible {
    /// The irregularity in words.
    public var description: String {
        switch self {
        case .shortPacket: "a packet is shorter than it has to be"
        case .cutByRecorder: "the recorder kept only the beginning of a packet"
        case .timeBackwards: "time runs backwards"
        case .strayFragment: "a fragment continues nothing"
        case .unfinishedPacket: "a packet never came whole"
        case .unknownPacket: "a packet of no known type"
        case .strayResponse: "a response that nobody asked for"
        case .unanswered: "a request that nobody answered"
        case .wrongCRC: "a packet in the air with a wrong CRC"
        case .repeated: "a packet was heard again"
        case .lostByRecorder: "the recorder lost packets"
        case .encrypted: "the link is encrypted, and what follows cannot be read"
        case .otherBearer: "attributes over classic Bluetooth, which are not followed"
        case .askedByDevice: "the device asked for the other side's attributes"
        case .unknownLine: "a line that is none of the log's"
        case .beyondLimits: "more connections, attributes or bytes than are followed"
        case .longPacket: "a packet is followed by bytes that its length does not count"
        case .classicLink: "a classic (BR/EDR) connection, which is not followed"
        case .afterEnd: "a packet of a connection that has just ended"
        case .undividedValues: "several values came as one, and cannot be told apart"
        default: "something is odd"
        }
    }
}
