/// Records of which only the name is known; their bytes are passed through.
///
///     → id bytes…      not described: kept as they are
///     ← id bytes…      not described: kept as they are
///
/// Names come from notes on the vendor's app, unless a row says otherwise. The direction of a
/// record is not known either.
public enum RawRecord {
    /// All of them, one row each, in the order of their ids.
    public static let rows: [CommandFacts] = [
        // The location of the phone or the ring.
        CommandFacts(0x20, "Location", "location"),
        // Measured one at a time. The request is said to contain a day.
        CommandFacts(0x26, "SingleTemperatures", "single temperatures"),
        // Of the phone; the difference of the two is not known.
        CommandFacts(0x29, "Contacts29", "contacts (29)"),
        storedAlarms,
        CommandFacts(0x2D, "Contacts2D", "contacts (2D)"),
        bluetoothAddress,
        // A card that the device shows.
        CommandFacts(0x2F, "ElectronicCard", "electronic card"),
        // The difference of the two is not known.
        CommandFacts(0x3A, "WatchFace3A", "watch face (3A)"),
        CommandFacts(0x3F, "WatchFace3F", "watch face (3F)"),
        CommandFacts(0x48, "Navigation", "satellite navigation"),
        undescribed5A,
        CommandFacts(0x5F, "BloodOxygenIntervals", "blood oxygen at intervals"),
        CommandFacts(0x75, "HeartRateIntervals", "heart rate at intervals"),
    ]

    /// Returns the row of a record id; `nil` for a record with a type of its own, or an unknown
    /// one.
    public static func row(id: UInt8) -> CommandFacts? { rows.first { $0.code == id } }
}

/// The rows to which virtual rings and the catalogue refer.
extension RawRecord {
    /// Alarms. One source has 01 00 from an H59 band; the layout of an alarm is not known.
    package static let storedAlarms = CommandFacts(
        0x2C, "StoredAlarms", "stored alarms", .oneSource)

    /// The device's Bluetooth address: the only record whose bytes are known to be one.
    package static let bluetoothAddress = CommandFacts(
        0x2E, "BluetoothAddress", "Bluetooth address")

    /// A record without a known name. One source has 01 01 06 from an H59 band.
    package static let undescribed5A = CommandFacts(
        0x5A, "Undescribed5A", "undescribed (5A)", .oneSource)
}

extension ByteForm {
    /// Creates the form of a record of which only the name is known.
    init(raw facts: CommandFacts, _ role: FieldName) {
        let name = PacketName(facts.name, role)
        let secrecy: FieldSecrecy =
            facts.code == RawRecord.bluetoothAddress.code ? .address : .unknown
        self.name = name
        reencode = { bytes throws(PacketError) in
            var sink = IgnoringSink()
            return try Self.reencode(bytes, name, secrecy, &sink)
        }
        #if !hasFeature(Embedded)
        record = { bytes, recorder throws(PacketError) in
            try Self.reencode(bytes, name, secrecy, &recorder)
        }
        #endif
    }

    private static func reencode<Sink: FieldSink>(
        _ bytes: [UInt8], _ name: PacketName, _ secrecy: FieldSecrecy, _ sink: inout Sink
    ) throws(PacketError) -> [UInt8] {
        let maximum = BigDataFrame.maximumPayloadLength
        guard bytes.count <= maximum else {
            throw PacketError(
                .trailingBytes, packet: name, field: "end", at: maximum, expected: 0...0,
                found: Int64(bytes.count - maximum))
        }
        let copy = ContiguousArray(bytes)
        var reader = ByteReader(copy.span, sink: sink)
        defer { sink = reader.sink }
        return try reader.unclaimed(nil, "payload", secrecy)
    }
}
