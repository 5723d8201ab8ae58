#if !hasFeature(Embedded)
/// A kind of packet by name, for the command line, captures and explanations.
public struct PacketKind: Hashable, Sendable {
    enum Reading: Hashable, Sendable {
        case uart
        case bigData
        case characteristic(UInt16)
        case advertisement
        case family(DeviceFamily)
    }

    /// The name: `uart`, `bigdata`, `2a37`, `adv` …
    public let name: String
    let reading: Reading

    private init(_ name: String, _ reading: Reading) {
        self.name = name
        self.reading = reading
    }

    public static let uart = PacketKind("uart", .uart)
    /// A whole big-data frame of a ring.
    public static let bigData = PacketKind("bigdata", .bigData)
    public static let advertisement = PacketKind("adv", .advertisement)

    /// Returns the kind of a characteristic's values.
    public static func characteristic(_ entry: CharacteristicCatalog.Entry) -> PacketKind {
        let digits = [UInt8(entry.number >> 8), UInt8(truncatingIfNeeded: entry.number)]
        return PacketKind(HexText.bytes(digits).lowercased(), .characteristic(entry.number))
    }

    /// Returns the kind of a family's packets, in either direction.
    public static func family(_ family: DeviceFamily) -> PacketKind {
        PacketKind(family.name.description, .family(family))
    }

    public static let all: [PacketKind] =
        [.uart, .bigData] + CharacteristicCatalog.entries.map(PacketKind.characteristic)
        + [.advertisement] + DeviceFamilyCatalog.families.map(PacketKind.family)

    /// Creates the kind with a name in upper or lower case; `nil` if there is none.
    @usableFromInline package init?(name: String) {
        let name = name.lowercased()
        guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// Creates the kind of the given bytes: the first, strictest first, whose checks they pass;
    /// `nil` for unknown bytes.
    ///
    /// A checksum proves a frame. Advertising data and some families' packets have a
    /// structure that other bytes rarely have. Bytes that begin like a frame and fail its checksum
    /// count as a damaged one. A heart-rate measurement has no marker, so it comes last, and needs
    /// a plausible rate.
    init?(recognising bytes: [UInt8]) {
        if (try? BigDataFrame(decoding: bytes)) != nil {
            self = .bigData
        } else if (try? Frame(decoding: bytes)) != nil {
            self = .uart
        } else if let family = Self.family(of: bytes) {
            self = .family(family)
        } else if Self.isAdvertisement(bytes) {
            self = .advertisement
        } else if bytes.first == BigDataFrame.marker {
            self = .bigData
        } else if bytes.count == Frame.length,
            bytes.first.flatMap({ CommandCatalog.entry(opcode: $0) }) != nil
        {
            self = .uart
        } else if Self.isHeartRate(bytes) {
            self = .characteristic(CharacteristicCatalog.heartRateMeasurement)
        } else {
            return nil
        }
    }

    private static func isAdvertisement(_ bytes: [UInt8]) -> Bool {
        guard let data = try? AdvertisingData(decoding: bytes) else { return false }
        return data.structures.contains { structure in
            if case .other = structure.content { false } else { true }
        }
    }

    private static func family(of bytes: [UInt8]) -> DeviceFamily? {
        DeviceFamilyCatalog.families.first { family in
            guard family.hasMarkers, let form = family.form(of: bytes) else { return false }
            return (try? form.check(bytes)) != nil
        }
    }

    private static func isHeartRate(_ bytes: [UInt8]) -> Bool {
        guard let measurement = try? HeartRateMeasurement(decoding: bytes) else { return false }
        return 25...250 ~= measurement.beatsPerMinute && measurement.reservedFlags == 0
    }
}
#endif
