#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct BlueZCharacteristic: MirrorAttribute {
    var service: DBusObjectPath?
    var uuid: BluetoothUUID?
    var properties: GATTProperties = []
    var mtu: Int?

    private static let maximumFlags = 64

    var parent: DBusObjectPath? { service }

    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case GattCharacteristic1.service: service = value?.keptPath
        case GattCharacteristic1.uuid: uuid = value?.keptUUID
        case GattCharacteristic1.flags:
            let words = value?.elements?.prefix(Self.maximumFlags).compactMap(\.string)
            properties = AttributeFlags.properties(of: words ?? [])
        // Only from 5.62 on (pitfall 17: bleak, SimpleBLE#481).
        case GattCharacteristic1.mtu:
            mtu = value?.integer.flatMap { UInt16(exactly: $0) }.map(Int.init)
        default: break
        }
    }
}
#endif
