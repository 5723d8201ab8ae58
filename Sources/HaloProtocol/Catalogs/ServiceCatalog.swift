/// Which service a characteristic belongs to, for those that this module names.
///
/// A device tells it when its services are discovered. Where that was not recorded, this is how
/// what was said can be put into place again.
public enum ServiceCatalog {
    /// The service of a characteristic; nothing if this module does not know it.
    public static func service(ofCharacteristic uuid: BluetoothUUID) -> BluetoothUUID? {
        if DeviceInformation.characteristics.contains(uuid) {
            return StandardServices.deviceInformation
        }
        return members.first { $0.characteristics.contains(uuid) }?.service
    }

    private static let members: [(service: BluetoothUUID, characteristics: [BluetoothUUID])] = [
        (RingServices.uart, [RingServices.uartWrite, RingServices.uartNotify]),
        (RingServices.bigData, [RingServices.bigDataWrite, RingServices.bigDataNotify]),
        (
            RingServices.weChat,
            [RingServices.weChatNotify, RingServices.weChatIndicate, RingServices.weChatRead]
        ),
        (StandardServices.battery, [CharacteristicCatalog.batteryLevel.uuid]),
        (
            StandardServices.heartRate,
            [
                CharacteristicCatalog.heartRateMeasurement.uuid,
                CharacteristicCatalog.bodySensorLocation.uuid,
                CharacteristicCatalog.heartRateControlPoint.uuid,
            ]
        ),
        (LEDStrip.commandService, [LEDStrip.commands]),
        (LEDStrip.statusService, [LEDStrip.status]),
        // Generic Attribute, with Service Changed.
        (BluetoothUUID(0x1801), [BluetoothUUID(0x2A05)]),
    ]
}
