/// Why text is not a capture: what is wrong, and where.
public struct CaptureError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The bytes are not UTF-8.
        public static let notText = Kind(code: 0)
        /// A control character that is not a tab.
        public static let controlCharacter = Kind(code: 1)
        /// A line is longer than the reader's limit.
        public static let lineTooLong = Kind(code: 2)
        /// The whole is longer than the reader's limit.
        public static let fileTooLong = Kind(code: 3)
        /// The last line has no end: it may have been cut off.
        public static let unfinishedLine = Kind(code: 4)
        /// The first character is none of those that begin a line.
        public static let unknownLine = Kind(code: 5)
        /// The version is not one that this reader knows.
        public static let unknownVersion = Kind(code: 6)
        /// The version does not stand on the first line.
        public static let misplacedVersion = Kind(code: 7)
        /// White space is missing behind the character that begins the line.
        public static let missingSpace = Kind(code: 8)
        /// The line ends where a word is due.
        public static let missingWord = Kind(code: 9)
        /// A word stands where the line should end.
        public static let extraWord = Kind(code: 10)
        /// No such event.
        public static let unknownEvent = Kind(code: 11)
        /// No such channel, and no declared name.
        public static let unknownChannel = Kind(code: 12)
        /// A name has other characters than lower-case letters, digits and dashes.
        public static let wrongName = Kind(code: 13)
        /// Not a UUID of 16, 32 or 128 bits.
        public static let notUUID = Kind(code: 14)
        /// Not a number, or not with a unit.
        public static let notNumber = Kind(code: 15)
        /// A number is larger or smaller than it can be.
        public static let outOfRange = Kind(code: 16)
        /// Not two hexadecimal digits.
        public static let notByte = Kind(code: 17)
        /// A packet has more bytes than it can have.
        public static let tooManyBytes = Kind(code: 18)
        /// A name, or a characteristic, was declared before.
        public static let declaredTwice = Kind(code: 19)
        /// The name means something else, or could be a UUID.
        public static let notDeclarable = Kind(code: 20)
        /// A reading or an error does not stand behind a packet.
        public static let withoutPacket = Kind(code: 21)
        /// A packet has an error already, or a reading and an error.
        public static let contradiction = Kind(code: 22)
        /// Nothing that can be done with a characteristic, or said twice.
        public static let unknownProperty = Kind(code: 23)
        /// More names than a device can have attributes.
        public static let tooManyNames = Kind(code: 24)
        /// A packet that goes this way, or goes over no connection, is not done so.
        public static let wrongAction = Kind(code: 25)
    }

    /// What went wrong.
    public let kind: Kind
    /// On which line, counted from 1.
    public let line: Int
    /// At which byte of the line, counted from 1.
    public let column: Int

    /// Says what went wrong where.
    public init(_ kind: Kind, line: Int, column: Int) {
        self.kind = kind
        self.line = line
        self.column = column
    }
}

extension CaptureError: CustomStringConvertible {
    /// One sentence, with line and column before it.
    public var description: String { "\(line):\(column): \(kind)." }
}

extension CaptureError.Kind: CustomStringConvertible {
    /// What went wrong, in words.
    public var description: String {
        switch self {
        case .notText: "this is not UTF-8"
        case .controlCharacter: "a control character"
        case .lineTooLong: "the line is too long"
        case .fileTooLong: "the file is too long"
        case .unfinishedLine: "the last line has no end; it may have been cut off"
        case .unknownLine: "no line begins like this"
        case .unknownVersion: "this version is not known here; 1 and 2 are"
        case .misplacedVersion: "the version belongs on the first line"
        case .missingSpace: "a space is missing"
        case .missingWord: "a word is missing"
        case .extraWord: "the line should end here"
        case .unknownEvent: "there is no such event"
        case .unknownChannel: "there is no such channel, and no such name was declared"
        case .wrongName: "a name has lower-case letters, digits and dashes"
        case .notUUID: "a UUID has 4, 8 or 32 digits"
        case .notNumber: "a number, with its unit, is due here"
        case .outOfRange: "the number is too large or too small"
        case .notByte: "two hexadecimal digits are due here"
        case .tooManyBytes: "the packet is too long"
        case .declaredTwice: "this was declared before"
        case .notDeclarable: "this name means something else"
        case .withoutPacket: "there is no packet that this could be said of"
        case .contradiction: "a packet has readings or one error"
        case .unknownProperty: "nothing that a characteristic can do, or said before"
        case .tooManyNames: "too many names were declared"
        case .wrongAction: "this is not done with a value that goes this way"
        default: "something is wrong"
        }
    }
}
