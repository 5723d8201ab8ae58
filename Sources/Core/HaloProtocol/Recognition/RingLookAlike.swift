/// The rings with similar advertisements and another protocol.
public enum RingLookAlike: Hashable, Sendable, CaseIterable {
    /// The R11 of the "Da Rings" app (CRP, Moyoung); rings of the family share its name.
    case daRings
    case r100
    case r10M
    case tk5
    /// A ring whose advertisement does not distinguish it from the family: YCBT ("SmartHealth"),
    /// jring, the RF03 chip's stock demo firmware, or another.
    case unnamed
}

extension RingLookAlike: CustomStringConvertible {
    /// The name in words.
    public var description: String {
        switch self {
        case .daRings: "Da Rings (Moyoung) ring"
        case .r100: "R100"
        case .r10M: "R10M"
        case .tk5: "TK5"
        case .unnamed: "ring with another protocol"
        }
    }
}
