#if !hasFeature(Embedded)
/// What bytes are taken for: a name that the command line, captures and explanations share.
public struct PacketKind: Hashable, Sendable {
    /// How the bytes are read.
    enum Reading: Hashable, Sendable {
        case uart
        case bigData
        case characteristic(UInt16)
        case advertisement
        case ledStrip
    }

    /// The name: `uart`, `bigdata`, `2a37`, `adv` …
    public let name: String
    let reading: Reading

    private init(_ name: String, _ reading: Reading) {
        self.name = name
        self.reading = reading
    }

    /// A 16-byte frame of a ring.
    public static let uart = PacketKind("uart", .uart)
    /// A whole big-data frame of a ring.
    public static let bigData = PacketKind("bigdata", .bigData)
    /// Advertising data.
    public static let advertisement = PacketKind("adv", .advertisement)
    /// A command to an LED strip controller, or its status.
    public static let ledStrip = PacketKind("ledstrip", .ledStrip)

    /// The value of a characteristic.
    public static func characteristic(_ entry: CharacteristicCatalog.Entry) -> PacketKind {
        let digits = [UInt8(entry.number >> 8), UInt8(truncatingIfNeeded: entry.number)]
        return PacketKind(HexText.bytes(digits).lowercased(), .characteristic(entry.number))
    }

    /// Every kind there is.
    public static let all: [PacketKind] =
        [.uart, .bigData] + CharacteristicCatalog.entries.map(PacketKind.characteristic)
        + [.advertisement, .ledStrip]

    /// The kind of that name, in upper or lower case.
    public init?(name: String) {
        let name = name.lowercased()
        guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
#endif
