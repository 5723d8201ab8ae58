internal import HaloProtocol
internal import HaloTransport

struct VirtualRingAttributes: Hashable, Sendable {
    static let uartWrite = AttributeID(1)
    static let uartNotify = AttributeID(2)
    static let bigDataWrite = AttributeID(3)
    static let bigDataNotify = AttributeID(4)
    static let hardware = AttributeID(5)
    static let firmware = AttributeID(6)
    static let systemID = AttributeID(7)
    static let manufacturer = AttributeID(8)
    static let weChatNotify = AttributeID(9)
    static let weChatIndicate = AttributeID(10)
    static let weChatRead = AttributeID(11)

    static let subscribable = [uartNotify, bigDataNotify, weChatNotify, weChatIndicate]

    /// The services of a profile, in the order of captures.
    static func services(of profile: RingProfile) -> [GATTService] {
        let manufacturers: [Row] =
            profile.manufacturer == nil
            ? [] : [(manufacturer, CharacteristicCatalog.manufacturerName.uuid, .read)]
        let device = service(StandardServices.deviceInformation, information + manufacturers)
        return [uart, bigData, device] + (profile.hasWeChat ? [weChat] : [])
    }

    private typealias Row = (AttributeID, BluetoothUUID, GATTProperties)

    private static func service(_ uuid: BluetoothUUID, _ rows: [Row]) -> GATTService {
        GATTService(uuid, characteristics: rows.map { GATTCharacteristic($0.0, $0.1, $0.2) })
    }

    private static let uart = service(
        RingServices.uart,
        [
            (uartWrite, RingServices.uartWrite, [.write, .writeWithoutResponse]),
            (uartNotify, RingServices.uartNotify, .notify),
        ])
    private static let bigData = service(
        RingServices.bigData,
        [
            (bigDataWrite, RingServices.bigDataWrite, [.write, .writeWithoutResponse]),
            (bigDataNotify, RingServices.bigDataNotify, .notify),
        ])
    private static let information: [Row] = [
        (hardware, CharacteristicCatalog.hardwareRevision.uuid, .read),
        (firmware, CharacteristicCatalog.firmwareRevision.uuid, .read),
        (systemID, CharacteristicCatalog.systemID.uuid, .read),
    ]
    private static let weChat = service(
        RingServices.weChat,
        [
            (weChatNotify, RingServices.weChatNotify, [.read, .notify]),
            (weChatIndicate, RingServices.weChatIndicate, [.read, .write, .indicate]),
            (weChatRead, RingServices.weChatRead, .read),
        ])
}
