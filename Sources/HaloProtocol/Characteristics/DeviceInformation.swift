/// The values of a device's Device Information service; `nil` for values that the device does not
/// have.
///
/// ``systemID`` and ``serialNumber`` identify one person's device: the description leaves them out.
public struct DeviceInformation: Hashable, Sendable {
    /// The unique identifier of the device.
    public var systemID: SystemID?
    /// The name or number of the model.
    public var modelNumber: DeviceInformationText?
    public var serialNumber: DeviceInformationText?
    public var firmwareRevision: DeviceInformationText?
    /// The version of the circuit board.
    public var hardwareRevision: DeviceInformationText?
    public var softwareRevision: DeviceInformationText?
    public var manufacturerName: DeviceInformationText?
    /// The list of medical certificates.
    public var regulatoryCertification: RegulatoryCertification?
    /// Vendor, product and version.
    public var pnpID: PnPID?
    /// The values that could not be decoded.
    public var faults: [Fault] = []

    /// A value that could not be decoded.
    public struct Fault: Hashable, Sendable {
        /// The UUID of the characteristic.
        public let uuid: BluetoothUUID
        /// The decoding error.
        public let error: PacketError
    }

    /// The value of one characteristic.
    public struct Value: Hashable, Sendable {
        /// The UUID of the characteristic.
        public let uuid: BluetoothUUID
        public let bytes: [UInt8]
    }

    /// Creates an instance without values.
    public init() {}

    /// The characteristics of the service, in the order of their numbers.
    public static var characteristics: [BluetoothUUID] {
        [
            CharacteristicCatalog.systemID, CharacteristicCatalog.modelNumber,
            CharacteristicCatalog.serialNumber, CharacteristicCatalog.firmwareRevision,
            CharacteristicCatalog.hardwareRevision, CharacteristicCatalog.softwareRevision,
            CharacteristicCatalog.manufacturerName, CharacteristicCatalog.regulatoryCertification,
            CharacteristicCatalog.pnpID,
        ].map { $0.uuid }
    }

    /// Decodes the value of a characteristic. Errors are added to ``faults``; values of other
    /// services are ignored.
    public mutating func receive(_ bytes: some Sequence<UInt8>, of uuid: BluetoothUUID) {
        do throws(PacketError) {
            try read(bytes, of: uuid)
        } catch {
            faults.append(Fault(uuid: uuid, error: error))
        }
    }

    private mutating func read(
        _ bytes: some Sequence<UInt8>, of uuid: BluetoothUUID
    ) throws(PacketError) {
        switch uuid {
        case CharacteristicCatalog.systemID.uuid:
            systemID = try SystemID(decoding: bytes)
        case CharacteristicCatalog.modelNumber.uuid:
            modelNumber = try DeviceInformationText(decoding: bytes)
        case CharacteristicCatalog.serialNumber.uuid:
            serialNumber = try DeviceInformationText(decoding: bytes)
        case CharacteristicCatalog.firmwareRevision.uuid:
            firmwareRevision = try DeviceInformationText(decoding: bytes)
        case CharacteristicCatalog.hardwareRevision.uuid:
            hardwareRevision = try DeviceInformationText(decoding: bytes)
        case CharacteristicCatalog.softwareRevision.uuid:
            softwareRevision = try DeviceInformationText(decoding: bytes)
        case CharacteristicCatalog.manufacturerName.uuid:
            manufacturerName = try DeviceInformationText(decoding: bytes)
        case CharacteristicCatalog.regulatoryCertification.uuid:
            regulatoryCertification = try RegulatoryCertification(decoding: bytes)
        case CharacteristicCatalog.pnpID.uuid:
            pnpID = try PnPID(decoding: bytes)
        default: break
        }
    }

    /// The encoded values in the order of ``characteristics``.
    public var values: [Value] {
        let values = [
            systemID?.bytes, modelNumber?.bytes, serialNumber?.bytes, firmwareRevision?.bytes,
            hardwareRevision?.bytes, softwareRevision?.bytes, manufacturerName?.bytes,
            regulatoryCertification?.bytes, pnpID?.bytes,
        ]
        return zip(Self.characteristics, values).compactMap { uuid, bytes in
            bytes.map { Value(uuid: uuid, bytes: $0) }
        }
    }
}

extension DeviceInformation: CustomStringConvertible {
    /// Manufacturer, model and versions on one line, escaped for terminals and logs.
    public var description: String {
        [
            Self.part("manufacturer", manufacturerName), Self.part("model", modelNumber),
            Self.part("firmware", firmwareRevision), Self.part("hardware", hardwareRevision),
            Self.part("software", softwareRevision),
        ].compactMap { $0 }.joined(separator: ", ")
    }

    private static func part(_ title: String, _ text: DeviceInformationText?) -> String? {
        text.map { "\(title) \($0)" }
    }
}

/// The value of a text characteristic of the Device Information service.
///
///     ← text, UTF-8                    some devices send NULs after it; they are counted
///
/// 2A24 model, 2A25 serial number, 2A26 firmware, 2A27 hardware, 2A28 software, 2A29 manufacturer.
/// A serial number identifies one person's device: keep it out of logs.
public struct DeviceInformationText: BytePacket {
    public static var name: PacketName { PacketName("DeviceInformationText") }

    /// The text as valid UTF-8, without trailing NULs.
    ///
    /// Stored as bytes, because two strings of different bytes can be equal.
    public let utf8: [UInt8]
    /// The number of NULs after the text.
    public let trailingNULs: Int

    /// The length of the longest value of a characteristic.
    public static var maximumLength: Int { 512 }

    /// Creates a text of at most 512 bytes; NULs at its end become ``trailingNULs``.
    public init(_ text: String) throws(ValueError) {
        let bytes = Array(text.utf8)
        try ValueError.check("text", bytes.count, in: 0...Int64(Self.maximumLength))
        self.init(validUTF8: bytes)
    }

    private init(validUTF8 bytes: [UInt8]) {
        let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        utf8 = Array(bytes[..<end])
        trailingNULs = bytes.count - end
    }

    /// The text, decoded from ``utf8``.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let start = io.offset
        let bytes = try io.byteArray(
            "text", packet.map { $0.utf8 + repeatElement(0, count: $0.trailingNULs) }, .text)
        if packet == nil, let fault = StrictUTF8.firstFault(in: bytes) {
            throw PacketError(
                .notText, field: "text", at: start + fault,
                found: fault < bytes.count ? Int64(bytes[fault]) : nil)
        }
        self.init(validUTF8: bytes)
        io.means {
            trailingNULs == 0 ? description : "\(description) and \(trailingNULs) NUL"
        }
    }
}

extension DeviceInformationText: CustomStringConvertible {
    /// The text in quotes, escaped for terminals.
    public var description: String { PrintableText.quoted(utf8) }
}

/// The value of the System ID characteristic, 2A23: a unique identifier.
///
///     ← manufacturer, 5 bytes LE | organization, 3 bytes LE
///
/// A device that derives it from its Bluetooth address AA:BB:CC:DD:EE:FF sends
/// `FF EE DD FE FF CC BB AA`. It identifies one person's device: keep it out of logs.
public struct SystemID: BytePacket {
    public static var name: PacketName { PacketName("SystemID") }

    /// The manufacturer's 40-bit number for the device.
    public let manufacturerIdentifier: UInt64
    /// The number that the IEEE has assigned to the manufacturer.
    public let organizationIdentifier: UInt24

    private static var largestManufacturerIdentifier: UInt64 { 0xFF_FFFF_FFFF }

    /// Creates an identifier from its two numbers, the first of at most 40 bits.
    public init(
        manufacturerIdentifier: UInt64, organizationIdentifier: UInt24
    ) throws(ValueError) {
        try ValueError.check(
            "manufacturerIdentifier", manufacturerIdentifier,
            in: 0...Int64(Self.largestManufacturerIdentifier))
        self.manufacturerIdentifier = manufacturerIdentifier
        self.organizationIdentifier = organizationIdentifier
    }

    /// Creates an identifier derived from the 48 bits of a Bluetooth address.
    public init(address: UInt64) {
        manufacturerIdentifier = address & 0xFF_FFFF | Self.addressMark &<< 24
        organizationIdentifier = UInt24(truncating: address &>> 24)
    }

    /// The 48 bits of the Bluetooth address, or `nil` if the identifier is not derived from one.
    public var address: UInt64? {
        guard manufacturerIdentifier &>> 24 == Self.addressMark else { return nil }
        return UInt64(organizationIdentifier.value) &<< 24 | manufacturerIdentifier & 0xFF_FFFF
    }

    private static var addressMark: UInt64 { 0xFFFE }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        manufacturerIdentifier = try io.integer(
            "manufacturerIdentifier", packet?.manufacturerIdentifier, width: 5,
            isBigEndian: false, role: .value, secrecy: .systemID, unit: .none)
        organizationIdentifier = try io.uint24(
            "organizationIdentifier", packet?.organizationIdentifier, .systemID)
    }
}

/// The value of the IEEE 11073-20601 Regulatory Certification Data List characteristic, 2A2A.
///
///     ← list                           a structure of another standard, kept as it is
public struct RegulatoryCertification: BytePacket {
    public static var name: PacketName { PacketName("RegulatoryCertification") }

    /// The bytes of the list, which are not decoded.
    public var list: [UInt8]

    /// Creates a value from the bytes of a list.
    public init(list: [UInt8]) {
        self.list = list
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        list = try io.byteArray("list", packet?.list, .open)
    }
}
