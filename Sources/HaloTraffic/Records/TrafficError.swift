/// Why a file of traffic cannot be read further: what is wrong, and where.
///
/// Everything before that place was read and counts.
public struct TrafficError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The file is in none of the known formats.
        public static let unknownFormat = Kind(code: 0)
        /// The file begins like one of a known format, in a version that is not known.
        public static let unknownVersion = Kind(code: 1)
        /// The format is known, what it carries is not Bluetooth, or is in a way not known here.
        public static let unknownContent = Kind(code: 2)
        /// The file ends in the middle of something.
        public static let truncated = Kind(code: 3)
        /// A length cannot be right.
        public static let wrongLength = Kind(code: 4)
        /// A record is longer than any that Bluetooth has.
        public static let recordTooLong = Kind(code: 5)
        /// Something that has to be there, or be the same twice, is not.
        public static let malformed = Kind(code: 6)
        /// The text is in an encoding other than UTF-8 and ASCII.
        public static let wrongEncoding = Kind(code: 7)
        /// The file holds nothing at all.
        public static let empty = Kind(code: 8)
        /// There is more in it than is kept in memory.
        public static let tooMuch = Kind(code: 9)
        /// There is no conversation with a device in it, or not the one asked for.
        public static let noConversation = Kind(code: 10)
    }

    /// What went wrong.
    public let kind: Kind
    /// Where in the file, in bytes.
    public let offset: Int
    /// What was found there, where a number says more.
    public let found: Int?
    /// How many bytes are missing.
    public let missing: Int?
    /// More in words, where there is more to say: of this package, never bytes of a file.
    public let hint: String?

    /// Says what went wrong where.
    public init(
        _ kind: Kind, at offset: Int, found: Int? = nil, missing: Int? = nil, hint: String? = nil
    ) {
        self.kind = kind
        self.offset = offset
        self.found = found
        self.missing = missing
        self.hint = hint
    }
}

extension TrafficError: CustomStringConvertible {
    /// One sentence, with the offset before it: what was found where, and what to do about it.
    /// A conversation that is missing is missing nowhere.
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

extension TrafficError.Kind: CustomStringConvertible {
    /// What went wrong, in words.
    public var description: String {
        switch self {
        case .unknownFormat: "this is in no known format"
        case .unknownVersion: "this version is not known here"
        case .unknownContent: "what the file holds is not read here"
        case .truncated: "the file ends in the middle"
        case .wrongLength: "this length cannot be right"
        case .recordTooLong: "this is longer than anything of Bluetooth"
        case .malformed: "this is not what has to be here"
        case .wrongEncoding: "the text is not UTF-8"
        case .empty: "the file is empty"
        case .tooMuch: "there is more than is kept in memory"
        case .noConversation: "there is no conversation with a device, or not the one asked for"
        default: "something is wrong"
        }
    }
}

extension TrafficError {
    /// The file ends within a unit that has at least so many bytes; or there is no file at all.
    static func cut(_ rest: Span<UInt8>, at offset: Int, needs count: Int) -> TrafficError {
        if rest.isEmpty, offset == 0 { return TrafficError(.empty, at: 0) }
        return TrafficError(.truncated, at: offset, missing: max(count - rest.count, 1))
    }
}
