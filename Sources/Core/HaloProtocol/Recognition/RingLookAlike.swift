/// The rings with similar advertisements and another protocol.
public enum RingLookAlike: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The R11 of the "Da Rings" app (CRP, Moyoung); rings of the family share its name.
    case daRings
    case r100
    case r10M
    case tk5
    /// A ring of the "SmartHealth" app. Reports say that such rings have a space in their names
    /// where this family has an underscore (`R10M FCF4`), advertise the Heart Rate service and the
    /// company number 0x7810, and a service of their own. No
    /// capture shows one.
    case ycbt
    /// A ring that is called `Anko` and eight digits, with the service 56FF. One source.
    case anko
    /// A jring, which is called `SMART_RING` as some R11 of this family are. One source has its
    /// company number, 0x594A, and its services: 56FF, and FEF5, which many devices have.
    case jring
    /// A ring whose advertisement does not distinguish it from the family: one with the protocol of
    /// Lefun, or with the RF03 chip's stock demo firmware, or another.
    case unnamed

    /// The service of YCBT rings, which they are not said to advertise.
    static let ycbtService = BluetoothUUID(high: 0xBE94_0000_7333_BE46, low: 0xB7AE_689E_7172_2BD5)
    /// The company number of YCBT rings' manufacturer data.
    static let ycbtCompany: UInt16 = 0x7810
    /// The service of jring and Anko rings.
    static let jringService = BluetoothUUID(0x56FF)
    /// The company number of jrings' manufacturer data.
    static let jringCompany: UInt16 = 0x594A

    /// The name in words.
    public var description: String {
        switch self {
        case .daRings: "Da Rings (Moyoung) ring"
        case .r100: "R100"
        case .r10M: "R10M"
        case .tk5: "TK5"
        case .ycbt: "YCBT (SmartHealth) ring"
        case .anko: "Anko ring"
        case .jring: "jring"
        case .unnamed: "ring with another protocol"
        }
    }
}
