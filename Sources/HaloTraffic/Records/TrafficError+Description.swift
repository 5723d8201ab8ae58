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
