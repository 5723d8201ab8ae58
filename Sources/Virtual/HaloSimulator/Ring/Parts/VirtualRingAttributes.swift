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
        let uart = GATTService(
            RingServices.uart,
            characteristics: [
                GATTCharacteristic(
                    uartWrite, RingServices.uartWrite, [.write, .writeWithoutResponse]),
                GATTCharacteristic(uartNotify, RingServices.uartNotify, .notify),
            ])
        let bigData = GATTService(
            RingServices.bigData,
            characteristics: [
                GATTCharacteristic(
                    bigDataWrite, RingServices.bigDataWrite, [.write, .writeWithoutResponse]),
                GATTCharacteristic(bigDataNotify, RingServices.bigDataNotify, .notify),
            ])
        var information = [
            GATTCharacteristic(hardware, CharacteristicCatalog.hardwareRevision.uuid, .read),
            GATTCharacteristic(firmware, CharacteristicCatalog.firmwareRevision.uuid, .read),
            GATTCharacteristic(systemID, CharacteristicCatalog.systemID.uuid, .read),
        ]
        if profile.manufacturer != nil {
            information.append(
                GATTCharacteristic(
                    manufacturer, CharacteristicCatalog.manufacturerName.uuid, .read))
        }
        let device = GATTService(
            StandardServices.deviceInformation, characteristics: information)
        return [uart, bigData, device] + (profile.hasWeChat ? [weChat] : [])
    }

    private static let weChat = GATTService(
        RingServices.weChat,
        characteristics: [
            GATTCharacteristic(weChatNotify, RingServices.weChatNotify, [.read, .notify]),
            GATTCharacteristic(
                weChatIndicate, RingServices.weChatIndicate, [.read, .write, .indicate]),
            GATTCharacteristic(weChatRead, RingServices.weChatRead, .read),
        ])
}
