/// The characteristics of the Bluetooth SIG that this module decodes; the only list of their
/// numbers.
public enum CharacteristicCatalog {
    /// A characteristic in the catalogue.
    public struct Entry: Sendable {
        public let number: UInt16
        /// The name of the characteristic as in Swift code.
        public let name: FieldName
        /// The characteristic in words.
        public let title: FieldName
        public let form: ByteForm

        /// What the value gives away if it is text.
        let textSecrecy: FieldSecrecy

        /// The number as a UUID.
        public var uuid: BluetoothUUID { BluetoothUUID(UInt32(number)) }

        fileprivate init<Value: BytePacket>(
            _ number: UInt16, _ type: Value.Type, name: FieldName? = nil, title: FieldName,
            _ textSecrecy: FieldSecrecy = .text
        ) {
            self.number = number
            self.name = name ?? Value.name.subject
            self.title = title
            self.textSecrecy = textSecrecy
            form = ByteForm(type)
        }
    }

    public static let batteryLevel = Entry(0x2A19, BatteryLevel.self, title: "battery level")
    public static let systemID = Entry(0x2A23, SystemID.self, title: "system identifier")
    public static let modelNumber = Entry(
        0x2A24, DeviceInformationText.self, name: "ModelNumber", title: "model number", .model)
    public static let serialNumber = Entry(
        0x2A25, DeviceInformationText.self, name: "SerialNumber", title: "serial number", .serial)
    /// The version of the firmware; on rings a ``FirmwareVersion``.
    public static let firmwareRevision = Entry(
        0x2A26, DeviceInformationText.self, name: "FirmwareRevision", title: "firmware revision")
    /// The version of the circuit board; on rings a ``HardwareVersion``.
    public static let hardwareRevision = Entry(
        0x2A27, DeviceInformationText.self, name: "HardwareRevision", title: "hardware revision")
    public static let softwareRevision = Entry(
        0x2A28, DeviceInformationText.self, name: "SoftwareRevision", title: "software revision")
    public static let manufacturerName = Entry(
        0x2A29, DeviceInformationText.self, name: "ManufacturerName", title: "manufacturer")
    public static let regulatoryCertification = Entry(
        0x2A2A, RegulatoryCertification.self, title: "IEEE 11073-20601 regulatory data")
    /// Heart rate, energy, and RR intervals.
    public static let heartRateMeasurement = Entry(
        0x2A37, HeartRateMeasurement.self, title: "heart-rate measurement")
    public static let bodySensorLocation = Entry(
        0x2A38, BodySensorLocation.self, title: "body sensor location")
    public static let heartRateControlPoint = Entry(
        0x2A39, HeartRateControlPoint.self, title: "heart-rate control point")
    public static let pnpID = Entry(0x2A50, PnPID.self, title: "plug-and-play identifier")

    /// All entries, in the order of their numbers.
    public static let entries: [Entry] = [
        batteryLevel, systemID, modelNumber, serialNumber, firmwareRevision, hardwareRevision,
        softwareRevision, manufacturerName, regulatoryCertification, heartRateMeasurement,
        bodySensorLocation, heartRateControlPoint, pnpID,
    ]

    /// Returns the entry of a characteristic, or `nil` if it is not in the catalogue.
    public static func entry(_ uuid: BluetoothUUID) -> Entry? {
        entries.first { $0.uuid == uuid }
    }
}
