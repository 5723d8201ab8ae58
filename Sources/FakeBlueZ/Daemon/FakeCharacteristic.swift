#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A characteristic of a device, and who wants its values.
struct FakeCharacteristic {
    let path: DBusObjectPath
    let service: DBusObjectPath
    let uuid: BluetoothUUID
    /// Which of the remote's it is; nothing for one that the daemon answers for.
    let attribute: AttributeID?
    let properties: GATTProperties
    let permissions: GATTPermissions
    let descriptors: [FakeGATT.Descriptor]
    /// The clients that have subscribed.
    var clients: Set<String> = []
    /// How often somebody has, for a daemon that does not answer the second time.
    var startCount = 0
    /// The daemon itself wants the values, for the battery.
    var daemonListens = false
    /// The device was told on this link.
    var isSubscribed = false
    /// Whether clients were told that values come.
    var isNotifying = false
    var losesNext = false
    /// A value that is held back so that the next one comes before it.
    var heldBack: [UInt8]?
    /// Who subscribed and is answered after the first value.
    var heldAnswer: DBusRequest?
    var notifySocket: (place: FakeSocketPlace, client: String)?
    var writeSocket: (place: FakeSocketPlace, client: String)?

    /// A link has ended: what the device was told on it is forgotten.
    mutating func leave() {
        isSubscribed = false
        daemonListens = false
        heldBack = nil
        heldAnswer = nil
    }

    /// What its switch for notifications and indications is at.
    var configuration: [UInt8] {
        [isSubscribed ? (properties.contains(.notify) ? 1 : 2) : 0, 0]
    }

    /// The sockets that stand for it.
    var sockets: [(place: FakeSocketPlace, client: String)] {
        [notifySocket, writeSocket].compactMap(\.self)
    }

    /// Whether somebody needs the device to send.
    var isWanted: Bool { !clients.isEmpty || daemonListens || notifySocket != nil }

    init(
        path: DBusObjectPath, service: DBusObjectPath, uuid: BluetoothUUID,
        attribute: AttributeID?, properties: GATTProperties, permissions: GATTPermissions,
        descriptors: [FakeGATT.Descriptor]
    ) {
        self.path = path
        self.service = service
        self.uuid = uuid
        self.attribute = attribute
        self.properties = properties
        self.permissions = permissions
        self.descriptors = descriptors
    }

    /// Whether a device lets itself be asked for the value: a program that is one is asked by the
    /// daemon, too, if the characteristic's properties say nothing of reading and writing (seen).
    func mayBeRead(_ airborne: FakeAirborne) -> Bool {
        properties.contains(.read)
            || airborne.ownAdapter != nil
                && !properties.canWrite
    }

    /// The object as 5.66 exports it: with the properties that go with what can be done.
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
            [GattCharacteristic1.interface], values: [GattCharacteristic1.interfaceName: values]
        ).falsified(quirks)
    }
}
#endif
