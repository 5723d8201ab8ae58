/// Every characteristic of the Bluetooth SIG that this module reads, once: the only list of
/// their numbers.
public enum CharacteristicCatalog {
    /// What the catalogue knows of one characteristic.
    public struct Entry: Sendable {
        /// The number that the Bluetooth SIG gave it.
        public let number: UInt16
        /// The name of the characteristic, as programs write it.
        public let name: FieldName
        /// What it is, in words.
        public let title: FieldName
        /// The type of its value.
        public let form: ByteForm

        /// The number as a UUID.
        public var uuid: BluetoothUUID { BluetoothUUID(UInt32(number)) }

        fileprivate init<Value: BytePacket>(
            _ number: UInt16, _ type: Value.Type, name: FieldName? = nil, title: FieldName
        ) {
            self.number = number
            self.name = name ?? Value.name.subject
            self.title = title
            form = ByteForm(type)
        }
    }

    /// How full the battery is.
    public static let batteryLevel = Entry(0x2A19, BatteryLevel.self, title: "battery level")
    /// A number that no other device has.
    public static let systemID = Entry(0x2A23, SystemID.self, title: "system identifier")
    /// The model's name or number.
    public static let modelNumber = Entry(
        0x2A24, DeviceInformationText.self, name: "ModelNumber", title: "model number")
    /// The device's serial number.
    public static let serialNumber = Entry(
        0x2A25, DeviceInformationText.self, name: "SerialNumber", title: "serial number")
    /// The firmware's version; a ring's is a ``FirmwareVersion``.
    public static let firmwareRevision = Entry(
        0x2A26, DeviceInformationText.self, name: "FirmwareRevision", title: "firmware revision")
    /// The board's version; a ring's is a ``HardwareVersion``.
    public static let hardwareRevision = Entry(
        0x2A27, DeviceInformationText.self, name: "HardwareRevision", title: "hardware revision")
    /// The software's version.
    public static let softwareRevision = Entry(
        0x2A28, DeviceInformationText.self, name: "SoftwareRevision", title: "software revision")
    /// Who made the device.
    public static let manufacturerName = Entry(
        0x2A29, DeviceInformationText.self, name: "ManufacturerName", title: "manufacturer")
    /// Medical certificates.
    public static let regulatoryCertification = Entry(
        0x2A2A, RegulatoryCertification.self, title: "IEEE 11073-20601 regulatory data")
    /// Heart rate, energy, and times between beats.
    public static let heartRateMeasurement = Entry(
        0x2A37, HeartRateMeasurement.self, title: "heart-rate measurement")
    /// Where a heart-rate sensor is worn.
    public static let bodySensorLocation = Entry(
        0x2A38, BodySensorLocation.self, title: "body sensor location")
    /// What a heart-rate sensor is told to do.
    public static let heartRateControlPoint = Entry(
        0x2A39, HeartRateControlPoint.self, title: "heart-rate control point")
    /// Which product a device is.
    public static let pnpID = Entry(0x2A50, PnPID.self, title: "plug-and-play identifier")

    /// All entries, in the order of their numbers.
    public static let entries: [Entry] = [
        batteryLevel, systemID, modelNumber, serialNumber, firmwareRevision, hardwareRevision,
        softwareRevision, manufacturerName, regulatoryCertification, heartRateMeasurement,
        bodySensorLocation, heartRateControlPoint, pnpID,
    ]

    /// The entry of a characteristic.
    public static func entry(_ uuid: BluetoothUUID) -> Entry? {
        entries.first { $0.uuid == uuid }
    }
}
