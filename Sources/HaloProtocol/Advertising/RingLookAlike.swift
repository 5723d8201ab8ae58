/// A ring that looks like one of the family and speaks another protocol.
public enum RingLookAlike: Hashable, Sendable, CaseIterable {
    /// An R11 of the "Da Rings" app (CRP, Moyoung); its name is also that of rings of the family.
    case daRings
    /// The R100.
    case r100
    /// The R10M.
    case r10M
    /// The TK5.
    case tk5
    /// One that its advertisement does not tell from the family: YCBT ("SmartHealth"), jring, the
    /// RF03 chip's stock demo firmware, or something else.
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
