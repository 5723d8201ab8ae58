#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct BlueZService: MirrorAttribute {
    var device: DBusObjectPath?
    var uuid: BluetoothUUID?
    var isPrimary = true

    var parent: DBusObjectPath? { device }

    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case GattService1.device: device = value?.keptPath
        case GattService1.uuid: uuid = value?.keptUUID
        case GattService1.primary: isPrimary = value?.boolean ?? true
        default: break
        }
    }
}
#endif
