#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A service, a characteristic or a descriptor: an object that belongs to another one.
struct MirrorAttribute: Hashable, Sendable {
    var parent: DBusObjectPath?
    var uuid: BluetoothUUID?
    var isPrimary = true
    var properties: GATTProperties = []
    var mtu: Int?
    /// `true` if a program receives the values as signals.
    var isNotifying = false
    /// `true` if a program receives the values through a socket.
    var isAcquired = false

    var hasSubscribers: Bool { isNotifying || isAcquired }

    private static let maximumFlags = 64

    /// Sets a property, or removes it with `nil`.
    mutating func set(_ name: String, _ value: DBusValue?) {
        switch name {
        // All three interfaces have this name for it.
        case GattService1.uuid: uuid = value?.keptUUID
        case GattService1.primary: isPrimary = value?.boolean ?? true
        case GattCharacteristic1.flags:
            let words = value?.elements?.prefix(Self.maximumFlags).compactMap(\.string)
            properties = AttributeFlags.properties(of: words ?? [])
        // Only from 5.62 on (pitfall 17: bleak, SimpleBLE#481).
        case GattCharacteristic1.mtu:
            mtu = value?.integer.flatMap { UInt16(exactly: $0) }.map(Int.init)
        case GattCharacteristic1.notifying: isNotifying = value?.boolean ?? false
        case GattCharacteristic1.notifyAcquired: isAcquired = value?.boolean ?? false
        default: break
        }
    }
}
#endif
