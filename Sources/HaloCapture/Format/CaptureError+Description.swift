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
