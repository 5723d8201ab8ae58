/// An error in the text of a capture, with line and column.
public struct CaptureError: Error, Hashable, Sendable {
    /// A kind of error; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The error in words.
        public let description: String

        /// The bytes are not UTF-8.
        public static let notText = Kind("this is not UTF-8")
        /// A control character that is not a tab.
        package static let controlCharacter = Kind("a control character")
        /// A line is longer than the reader's limit.
        public static let lineTooLong = Kind("the line is too long")
        /// The capture is longer than the reader's limit.
        public static let fileTooLong = Kind("the file is too long")
        /// The last line has no line end: it may have been cut off.
        public static let unfinishedLine = Kind(
            "the last line has no end; it may have been cut off")
        /// No line begins with the first character.
        package static let unknownLine = Kind("no line begins like this")
        /// The version is not one that this reader knows.
        public static let unknownVersion = Kind("this version is not known here; 2 is")
        /// The version is not on the first line.
        package static let misplacedVersion = Kind("the version belongs on the first line")
        /// White space is missing after the first character of the line.
        package static let missingSpace = Kind("a space is missing")
        /// The line ends where a word is expected.
        package static let missingWord = Kind("a word is missing")
        /// There is a word where the line should end.
        package static let extraWord = Kind("the line should end here")
        /// There is no such event.
        package static let unknownEvent = Kind("there is no such event")
        /// The channel is neither known nor a declared name.
        package static let unknownChannel = Kind(
            "there is no such channel, and no such name was declared")
        /// The name has characters other than lower-case letters, digits and dashes.
        package static let wrongName = Kind("a name has lower-case letters, digits and dashes")
        /// The word is not a UUID of 16, 32 or 128 bits.
        package static let notUUID = Kind("a UUID has 4, 8 or 32 digits")
        /// The word is not a number, or its unit is missing.
        package static let notNumber = Kind("a number, with its unit, is due here")
        /// The number is out of range.
        package static let outOfRange = Kind("the number is too large or too small")
        /// The word is not two hexadecimal digits.
        package static let notByte = Kind("two hexadecimal digits are due here")
        /// The packet has more bytes than allowed.
        package static let tooManyBytes = Kind("the packet is too long")
        /// The name, or the characteristic, was declared before.
        package static let declaredTwice = Kind("this was declared before")
        /// The name is the name of a known channel, or could be a UUID.
        package static let notDeclarable = Kind("this name means something else")
        /// A reading or an error follows no packet.
        package static let withoutPacket = Kind("there is no packet that this could be said of")
        /// A packet has an error beside a reading, or two errors.
        package static let contradiction = Kind("a packet has readings or one error")
        /// The property is unknown, or repeated.
        package static let unknownProperty = Kind(
            "nothing that a characteristic can do, or said before")
        /// There are more declared names than a device can have attributes.
        package static let tooManyNames = Kind("too many names were declared")
        /// The action is not possible for packets of this direction or channel.
        package static let wrongAction = Kind("this is not done with a value that goes this way")

        private init(_ description: String) {
            self.description = description
        }
    }

    /// The kind of error.
    public let kind: Kind
    /// The line, counted from 1.
    public let line: Int
    /// The column in bytes, counted from 1.
    public let column: Int

    package init(_ kind: Kind, line: Int, column: Int) {
        self.kind = kind
        self.line = line
        self.column = column
    }
}

extension CaptureError: CustomStringConvertible {
    /// One sentence, preceded by line and column.
    public var description: String { "\(line):\(column): \(kind)." }
}
