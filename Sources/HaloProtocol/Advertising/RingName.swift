/// What an advertised name says about the kind of device, in either case of letters.
struct RingName {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.map(Self.uppercased)
    }

    /// Whether rings of the family are sold under such a name.
    ///
    /// Most are a model and the last two bytes of the address: `R02_341C`, `COLMI R10_AB12`.
    var isRing: Bool {
        guard lookAlike == nil else { return false }
        if hasPrefix("COLMI ") {
            let rest = RingName(Array(bytes.dropFirst(6)))
            return rest.lookAlike == nil && rest.isModel(upTo: 12, orEnds: true)
        }
        return isModel(upTo: 11, orEnds: false) || Self.prefixes.contains(where: hasPrefix)
            || Self.brands.contains(where: isBrand)
    }

    /// The other ring that the name is one of.
    var lookAlike: RingLookAlike? {
        if hasPrefix("R100") { return .r100 }
        if hasPrefix("R10M") { return .r10M }
        if hasPrefix("TK5") { return .tk5 }
        return nil
    }

    /// The other ring that goes by the same name as one of the family.
    var ambiguous: RingLookAlike? { hasPrefix("R11") ? .daRings : nil }

    /// Whether LED strips are sold under such a name.
    var isLEDStrip: Bool { LEDStrip.namePrefixes.contains(where: hasPrefix) }

    /// R01, R02 … and R11C before an underscore, or perhaps at the end; RT with a number.
    private func isModel(upTo last: UInt8, orEnds mayEnd: Bool) -> Bool {
        if hasPrefix("RT") { return bytes.dropFirst(2).first.map(Self.isDigit) ?? false }
        guard bytes.count >= 3, bytes[0] == UInt8(ascii: "R"),
            Self.isDigit(bytes[1]), Self.isDigit(bytes[2])
        else { return false }
        let number = (bytes[1] - UInt8(ascii: "0")) * 10 + (bytes[2] - UInt8(ascii: "0"))
        let next = bytes.dropFirst(hasPrefix("R11C") ? 4 : 3).first
        return 1...last ~= number && (next == UInt8(ascii: "_") || mayEnd && next == nil)
    }

    private func hasPrefix(_ prefix: StaticString) -> Bool {
        bytes.hasPrefix(prefix)
    }

    private func isBrand(_ brand: StaticString) -> Bool {
        guard hasPrefix(brand) else { return false }
        let next = bytes.dropFirst(brand.utf8CodeUnitCount).first
        return next == nil || next == UInt8(ascii: "_") || next == UInt8(ascii: " ")
            || next == UInt8(ascii: "-")
    }

    private static let prefixes: [StaticString] = ["H59_", "VK-5098", "TR-R02", "SMART_RING"]

    /// Names that other makers sell the rings under: whole, or with something set apart behind.
    private static let brands: [StaticString] = [
        "MERLIN", "HELLO RING", "RING1", "BOATRING", "SE", "EVOLVEO", "GL-SR2", "BLAUPUNKT",
        "KSIX RING", "IGET", "KOGAN", "FITNESS", "FYRI", "ONERING SR01", "BOK", "9FSM", "STF",
        "NEWGEN", "SSR", "SEEKEN", "MXSR",
    ]

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func uppercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte & 0xDF : byte
    }
}
