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
