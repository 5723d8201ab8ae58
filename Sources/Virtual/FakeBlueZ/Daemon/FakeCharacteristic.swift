#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct FakeCharacteristic {
    /// The key of a socket.
    struct Socket: Hashable, Sendable {
        let device: Int
        let characteristic: Int
        /// `true` for notifications, `false` for writes.
        let isNotify: Bool
        let number: UInt64
        let client: String
    }

    let path: DBusObjectPath
    let service: DBusObjectPath
    let uuid: BluetoothUUID
    /// The remote's attribute; `nil` for a characteristic that the daemon itself answers for.
    let attribute: AttributeID?
    let properties: GATTProperties
    let permissions: GATTPermissions
    let descriptors: [FakeGATT.Descriptor]
    /// The clients that have subscribed.
    var clients: Set<String> = []
    /// `true` after a `StartNotify` call, for the quirk of no reply to the second one.
    var wasStarted = false
    /// `true` if the daemon itself has subscribed, for the battery.
    var daemonListens = false
    /// `true` once the device has a subscription on this link.
    var isSubscribed = false
    /// The property `Notifying`.
    var isNotifying = false
    var losesNext = false
    /// A value that is held back to come after the next one.
    var heldBack: [UInt8]?
    /// The `StartNotify` request that gets its reply after the first value.
    var heldReply: DBusRequest?
    var notifySocket: Socket?
    var writeSocket: Socket?

    mutating func reset() {
        isSubscribed = false
        daemonListens = false
        heldBack = nil
        heldReply = nil
    }

    /// The value of the client characteristic configuration.
    var configuration: [UInt8] {
        [isSubscribed ? (properties.contains(.notify) ? 1 : 2) : 0, 0]
    }

    var sockets: [Socket] {
        [notifySocket, writeSocket].compactMap(\.self)
    }

    var isWanted: Bool { !clients.isEmpty || daemonListens || notifySocket != nil }

    /// `true` if reads are sent to the device: for a hosted device also if the properties allow
    /// neither reads nor writes (seen).
    func mayBeRead(_ peripheral: FakePeripheral) -> Bool {
        properties.contains(.read)
            || peripheral.ownAdapter != nil
                && !properties.canWrite
    }

    /// Returns the object as 5.66 exports it: with the properties for its operations.
    func object(mtu: Int, _ quirks: FakeQuirks) -> DBusObject {
        var values: [String: DBusValue] = [
            GattCharacteristic1.uuid: .string(uuid.busText),
            GattCharacteristic1.service: .objectPath(service),
            GattCharacteristic1.value: .bytes([]),
            GattCharacteristic1.flags: .strings(AttributeFlags.words(for: properties)),
        ]
        if !quirks.hidesMTU {
            values[GattCharacteristic1.mtu] = .uint16(UInt16(clamping: mtu))
        }
        if properties.canSubscribe {
            values[GattCharacteristic1.notifying] = .boolean(isNotifying)
        }
        if !quirks.hidesSockets {
            if properties.contains(.notify) {
                values[GattCharacteristic1.notifyAcquired] = .boolean(false)
            }
            if properties.contains(.writeWithoutResponse) {
                values[GattCharacteristic1.writeAcquired] = .boolean(false)
            }
        }
        return DBusObject(
            [GattCharacteristic1.interface], values: [GattCharacteristic1.interfaceName: values])
    }
}
#endif
