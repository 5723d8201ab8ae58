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

    /// Returns the row of a record id; `nil` for a record with a type of its own, a step of a
    /// firmware update, or an unknown one.
    public static func row(id: UInt8) -> CommandFacts? { rows.first { $0.code == id } }

    // The rows to which virtual rings and the catalogue refer.

    /// Alarms. One source has 01 00 from an H59 band; the layout of an alarm is not known.
    package static let storedAlarms = CommandFacts(
        0x2C, "StoredAlarms", "stored alarms", .oneSource)

    /// The device's Bluetooth address: the only record whose bytes are known to be one.
    package static let bluetoothAddress = CommandFacts(
        0x2E, "BluetoothAddress", "Bluetooth address")

    /// A record without a known name. One source has 01 01 06 from an H59 band.
    package static let undescribed5A = CommandFacts(
        0x5A, "Undescribed5A", "undescribed (5A)", .oneSource)

    /// The whole record.
    struct Payload: BytePacket {
        static var name: PacketName { PacketName("") }
        static var maximumLength: Int { BigDataFrame.maximumPayloadLength }

        let payload: [UInt8]

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            payload = try io.unclaimed(packet?.payload, "payload")
        }
    }

    /// The whole record that is an address.
    struct Address: BytePacket {
        static var name: PacketName { PacketName("") }
        static var maximumLength: Int { BigDataFrame.maximumPayloadLength }

        let payload: [UInt8]

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            payload = try io.unclaimed(packet?.payload, "payload", .address)
        }
    }

    /// Returns the form of a record of which only the name is known.
    static func form(_ facts: CommandFacts, _ role: FieldName) -> ByteForm {
        let name = PacketName(facts.name, role)
        return facts.code == bluetoothAddress.code
            ? ByteForm(Address.self, named: name) : ByteForm(Payload.self, named: name)
    }
}
