/// The values of a device's Device Information service; `nil` for values that the device does not
/// have.
///
/// ``systemID`` and ``serialNumber`` identify one person's device: the description leaves them out.
public struct DeviceInformation: Hashable, Sendable, CustomStringConvertible {
    public var systemID: SystemID?
    public var modelNumber: DeviceInformationText?
    public var serialNumber: DeviceInformationText?
    public var firmwareRevision: DeviceInformationText?
    /// The version of the circuit board.
    public var hardwareRevision: DeviceInformationText?
    public var softwareRevision: DeviceInformationText?
    public var manufacturerName: DeviceInformationText?
    public var regulatoryCertification: RegulatoryCertification?
    public var pnpID: PnPID?
    public var faults: [Fault] = []

    /// A value that could not be decoded.
    public struct Fault: Hashable, Sendable {
        public let uuid: BluetoothUUID
        public let error: PacketError
    }

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
    package var values: [(uuid: BluetoothUUID, bytes: [UInt8])] {
        let values = [
            systemID?.bytes, modelNumber?.bytes, serialNumber?.bytes, firmwareRevision?.bytes,
            hardwareRevision?.bytes, softwareRevision?.bytes, manufacturerName?.bytes,
            regulatoryCertification?.bytes, pnpID?.bytes,
        ]
        return zip(Self.characteristics, values).compactMap { uuid, bytes in
            bytes.map { (uuid, $0) }
        }
    }

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
