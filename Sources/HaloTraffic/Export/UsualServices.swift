import HaloProtocol
import HaloTransport

/// Which service a characteristic usually belongs to.
enum UsualServices {
    private static let table: [(service: BluetoothUUID, characteristics: [BluetoothUUID])] = [
        (RingServices.uart, [RingServices.uartWrite, RingServices.uartNotify]),
        (RingServices.bigData, [RingServices.bigDataWrite, RingServices.bigDataNotify]),
        (
            RingServices.weChat,
            [RingServices.weChatNotify, RingServices.weChatIndicate, RingServices.weChatRead]
        ),
        (LEDStrip.commandService, [LEDStrip.commands]),
        (LEDStrip.statusService, [LEDStrip.status]),
        (
            StandardServices.heartRate,
            [
                CharacteristicCatalog.heartRateMeasurement,
                CharacteristicCatalog.bodySensorLocation,
                CharacteristicCatalog.heartRateControlPoint,
            ].map(\.uuid)
        ),
        (StandardServices.battery, [CharacteristicCatalog.batteryLevel.uuid]),
        (
            StandardServices.deviceInformation,
            [
                CharacteristicCatalog.systemID, CharacteristicCatalog.modelNumber,
                CharacteristicCatalog.serialNumber, CharacteristicCatalog.firmwareRevision,
                CharacteristicCatalog.hardwareRevision, CharacteristicCatalog.softwareRevision,
                CharacteristicCatalog.manufacturerName,
                CharacteristicCatalog.regulatoryCertification,
                CharacteristicCatalog.pnpID,
            ].map(\.uuid)
        ),
        (AttributeUUIDs.genericAttribute, [AttributeUUIDs.serviceChanged]),
    ]

    static func service(of characteristic: BluetoothUUID) -> BluetoothUUID? {
        table.first { $0.characteristics.contains(characteristic) }?.service
    }
}
