#if !hasFeature(Embedded)
extension PacketKind {
    /// Finds out what bytes are: the first kind whose own checks they pass, strictest first.
    ///
    /// A checksum proves a frame. Advertising data and LED commands have a shape that other
    /// bytes hardly ever have. What fails its checksum, but begins like a frame, is taken for a
    /// damaged one. A heart-rate measurement has no mark of its own, so it comes last, and only
    /// with a heart rate that a person can have.
    init?(recognising bytes: [UInt8]) {
        if (try? Frame(decoding: bytes)) != nil {
            self = .uart
        } else if (try? BigDataFrame(decoding: bytes)) != nil {
            self = .bigData
        } else if Self.isLEDStrip(bytes) {
            self = .ledStrip
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

    private static func isLEDStrip(_ bytes: [UInt8]) -> Bool {
        guard let form = ledStripForm(bytes) else { return false }
        return (try? form.reencode(bytes)) != nil
    }

    /// The packet of an LED strip that begins like the bytes; a status, if it is no command.
    static func ledStripForm(_ bytes: [UInt8]) -> ByteForm? {
        bytes.first.map { LEDStrip.command(startingWith: $0) ?? ByteForm(LEDStripStatus.self) }
    }

    private static func isHeartRate(_ bytes: [UInt8]) -> Bool {
        guard let measurement = try? HeartRateMeasurement(decoding: bytes) else { return false }
        return 25...250 ~= measurement.beatsPerMinute && measurement.reservedFlags == 0
    }
}
#endif
