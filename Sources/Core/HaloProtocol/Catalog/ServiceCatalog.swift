/// The services of the characteristics that this module names.
///
/// Recordings may lack the discovery of services; characteristics are then assigned by this list.
package enum ServiceCatalog {
    package static func service(ofCharacteristic uuid: BluetoothUUID) -> BluetoothUUID? {
        if DeviceInformation.characteristics.contains(uuid) {
            return StandardServices.deviceInformation
        }
        if let known = members.first(where: { $0.characteristics.contains(uuid) }) {
            return known.service
        }
        let endpoints = DeviceFamilyCatalog.families.flatMap { [$0.written, $0.notified] }
        return endpoints.first { $0.characteristic == uuid }?.service
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
        // Generic Attribute, with Service Changed.
        (BluetoothUUID(0x1801), [BluetoothUUID(0x2A05)]),
    ]
}
