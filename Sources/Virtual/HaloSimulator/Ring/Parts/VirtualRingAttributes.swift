internal import HaloProtocol
internal import HaloTransport

/// The attributes of a ring, numbered in the order in which ``database(of:address:)`` adds them.
/// Those of big data are others on a ring without it.
enum VirtualRingAttributes {
    static let uartWrite = AttributeID(1)
    static let uartNotify = AttributeID(2)
    static let bigDataWrite = AttributeID(3)
    static let bigDataNotify = AttributeID(4)

    /// The services of a profile, in the order of captures.
    static func database(of profile: RingProfile, address: UInt16) -> GATTDatabase {
        var database = GATTDatabase()
        database.add(RingServices.uart) { service in
            service.add(RingServices.uartWrite, [.write, .writeWithoutResponse])
            service.add(RingServices.uartNotify, .notify)
        }
        if profile.hasBigData {
            database.add(RingServices.bigData) { service in
                service.add(RingServices.bigDataWrite, [.write, .writeWithoutResponse])
                service.add(RingServices.bigDataNotify, .notify)
            }
        }
        database.add(StandardServices.deviceInformation) { service in
            let (hardware, firmware) = (text(profile.hardware), text(profile.firmware))
            service.add(CharacteristicCatalog.hardwareRevision.uuid, .read, value: hardware)
            service.add(CharacteristicCatalog.firmwareRevision.uuid, .read, value: firmware)
            let id = SystemID(address: UInt64(address)).bytes
            service.add(CharacteristicCatalog.systemID.uuid, .read, value: id)
            guard let maker = profile.manufacturer else { return }
            service.add(CharacteristicCatalog.manufacturerName.uuid, .read, value: text(maker))
        }
        if profile.isMouse { database.add(StandardServices.humanInterface) { _ in } }
        guard profile.hasWeChat else { return database }
        database.add(RingServices.weChat) { service in
            service.add(RingServices.weChatNotify, [.read, .notify], value: [])
            service.add(RingServices.weChatIndicate, [.read, .write, .indicate], value: [])
            service.add(RingServices.weChatRead, .read, value: [])
        }
        return database
    }

    private static func text(_ text: String) -> [UInt8]? {
        (try? DeviceInformationText(text))?.bytes
    }
}
