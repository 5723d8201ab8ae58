/// What a device says of itself in its Device Information service, as far as it says anything.
///
/// ``systemID`` and ``serialNumber`` tell one person's device from all others: the description
/// leaves them out.
public struct DeviceInformation: Hashable, Sendable {
    /// A number that no other device has.
    public var systemID: SystemID?
    /// The model's name or number.
    public var modelNumber: DeviceInformationText?
    /// The device's own number.
    public var serialNumber: DeviceInformationText?
    /// The firmware's version.
    public var firmwareRevision: DeviceInformationText?
    /// The board's version.
    public var hardwareRevision: DeviceInformationText?
    /// The software's version.
    public var softwareRevision: DeviceInformationText?
    /// Who made the device.
    public var manufacturerName: DeviceInformationText?
    /// Medical certificates.
    public var regulatoryCertification: RegulatoryCertification?
    /// Which product it is.
    public var pnpID: PnPID?
    /// Values that could not be read for what they should be.
    public var faults: [Fault] = []

    /// A value that is not what its characteristic holds.
    public struct Fault: Hashable, Sendable {
        /// The characteristic.
        public let uuid: BluetoothUUID
        /// What is wrong with its value.
        public let error: PacketError
    }

    /// The value of one characteristic.
    public struct Value: Hashable, Sendable {
        /// The characteristic.
        public let uuid: BluetoothUUID
        /// The bytes that it holds.
        public let bytes: [UInt8]
    }

    /// Nothing is known.
    public init() {}

    /// Every characteristic that can stand here, in the order of their numbers.
    public static var characteristics: [BluetoothUUID] {
        [
            CharacteristicCatalog.systemID, CharacteristicCatalog.modelNumber,
            CharacteristicCatalog.serialNumber, CharacteristicCatalog.firmwareRevision,
            CharacteristicCatalog.hardwareRevision, CharacteristicCatalog.softwareRevision,
            CharacteristicCatalog.manufacturerName, CharacteristicCatalog.regulatoryCertification,
            CharacteristicCatalog.pnpID,
        ].map { $0.uuid }
    }

    /// Takes in the value of a characteristic; what cannot be read becomes one of the ``faults``,
    /// and what does not belong here is left out.
    public mutating func take(_ bytes: some Sequence<UInt8>, of uuid: BluetoothUUID) {
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

    /// What is there, as a device holds it, in the order of ``characteristics``.
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
    /// Maker, model and versions on one line, safe for a terminal and for a log.
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
