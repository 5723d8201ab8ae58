#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct BlueZDescriptor: MirrorAttribute {
    var characteristic: DBusObjectPath?
    var uuid: BluetoothUUID?

    var parent: DBusObjectPath? { characteristic }

    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        case GattDescriptor1.characteristic: characteristic = value?.keptPath
        case GattDescriptor1.uuid: uuid = value?.keptUUID
        default: break
        }
    }
}
#endif
