/// The outcome of parsing a text.
enum ParsedSetting<Part> {
    /// The text is in the notation.
    case part(Part)
    /// The text is in the notation, but beyond its limits.
    case outOfRange
    /// The text is in another notation.
    case otherNotation

    func map<Other>(_ transform: (Part) -> Other) -> ParsedSetting<Other> {
        switch self {
        case .part(let part): .part(transform(part))
        case .outOfRange: .outOfRange
        case .otherNotation: .otherNotation
        }
    }
}
