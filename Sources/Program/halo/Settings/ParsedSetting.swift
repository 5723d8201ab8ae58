enum ParsedSetting<Part> {
    case part(Part)
    case outOfRange
    case otherNotation

    func map<Other>(_ transform: (Part) -> Other) -> ParsedSetting<Other> {
        switch self {
        case .part(let part): .part(transform(part))
        case .outOfRange: .outOfRange
        case .otherNotation: .otherNotation
        }
    }
}
