#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

struct FakeDevice {
    struct Attempt {
        let number: UInt64
        var requests: [DBusRequest]
        /// `true` once the device is in reach, and only the time to connect remains.
        var isConnecting = false
        var pairing: [DBusRequest] = []

        var all: [DBusRequest] { requests + pairing }
    }

    struct Link {
        let number: UInt64
        let mtu: Int
        var isResolved = false
        var isEncrypted: Bool
        /// `true` after `Disconnect`.
        var isEnding = false
        /// The number of further times that the services are exported again.
        var exportsLeft: Int
        var operations = Operations()
        var lastValue: (value: [UInt8], path: DBusObjectPath)?
        var pairing: [DBusRequest] = []
        var pairingNumber: UInt64?
        /// `true` if `Pair` established this link.
        let isForPairing: Bool
    }

    struct Operations {
        var waiting = Queue<FakeOperation>()
        var current: (operation: FakeOperation, number: UInt64)?
        /// The attributes with a present or waiting write.
        var written: Set<AttributeID> = []
        /// The number of the operation that was current at the last tick of the answer clock.
        var seen: UInt64?

        var all: [FakeOperation] { (current.map { [$0.operation] } ?? []) + waiting.all }

        mutating func removeAll() -> [FakeOperation] {
            defer { self = Operations() }
            return all
        }

        mutating func removeAll(on gone: FakeGATT.Change) -> [FakeOperation] {
            let ended = all.filter(gone.concerns)
            if let current, gone.concerns(current.operation) { self.current = nil }
            for operation in waiting.removeAll() where !gone.concerns(operation) {
                waiting.append(operation)
            }
            written.subtract(gone.attributes)
            return ended
        }
    }

    let number: Int
    let adapter: Int
    /// The number of the peripheral with this address, which may be gone.
    var peripheral: Int
    let address: String
    let path: DBusObjectPath
    var name: String?
    var alias: String?
    var isTrusted = false
    var isBlocked = false
    var isPaired = false
    /// `true` until a client connects to the device, or trusts it. A temporary device has neither a
    /// link nor an attempt, and is removed when it is not received for a while.
    var isTemporary = true
    var heard: FakeHeard?
    var hasRSSI = false
    var uuids: [BluetoothUUID] = []
    var gatt: FakeGATT?
    var attempt: Attempt?
    var link: Link?
    var battery: Int?
    /// The modalias that was announced, from the device's PnP ID.
    var modalias: String?
    var pendingDisconnects: [DBusRequest] = []
    var isRemovedAtLinkEnd = false
    /// `true` if the device is connected over Bluetooth Classic; `nil` if it has only low energy. A
    /// device with both has an interface for each bearer.
    var isConnectedByClassic: Bool?
    var unanswered: [DBusRequest] = []
    /// The number of a ghost, a link that breaks while it is established; `nil` without one.
    var ghost: UInt64?
    var forgetting: UInt64?

    init(_ number: Int, _ adapter: FakeAdapter, _ peripheral: FakePeripheral, hasRSSI: Bool) {
        self.number = number
        self.adapter = adapter.number
        self.peripheral = peripheral.number
        address = peripheral.address
        path = .device(address, on: adapter.path)
        heard = peripheral.heard
        name = heard?.name
        uuids = heard?.services ?? []
        self.hasRSSI = hasRSSI
    }

    var requests: [DBusRequest] {
        let operations = link?.operations.all ?? []
        return unanswered + pendingDisconnects + (attempt?.all ?? []) + (link?.pairing ?? [])
            + operations.compactMap(\.request)
            + (gatt?.characteristics ?? []).compactMap(\.heldReply)
    }

    var isIdle: Bool { link == nil && attempt == nil }

    mutating func keepAttempt() {
        unanswered += attempt?.all ?? []
        attempt = nil
    }

    var isResolved: Bool { link?.isResolved == true }
    var isConnected: Bool { link != nil || isConnectedByClassic == true }

    var shownAlias: String {
        alias ?? name ?? address.replacing(":", with: "-")
    }

    /// Returns the object as 5.66 exports it when it is found.
    func object(on adapter: FakeAdapter, isAddressRandom: Bool) -> DBusObject {
        var values: [String: DBusValue] = [Device1.uuids: .uuids(uuids)]
        if let name { values[Device1.name] = .string(name) }
        if let heard {
            if hasRSSI { values[Device1.rssi] = .int16(heard.rssi) }
            values.merge(heard.properties) { $1 }
        }
        return .device(
            address, isAddressRandom: isAddressRandom, alias: shownAlias, on: adapter.path, values)
    }
}

extension DBusObject {
    static func device(
        _ address: String, isAddressRandom: Bool, alias: String, on adapter: DBusObjectPath,
        _ others: [String: DBusValue] = [:]
    ) -> DBusObject {
        let values: [String: DBusValue] = [
            Device1.address: .string(address),
            Device1.addressType: .string(isAddressRandom ? "random" : "public"),
            Device1.alias: .string(alias), Device1.paired: .boolean(false),
            Device1.bonded: .boolean(false), Device1.trusted: .boolean(false),
            Device1.blocked: .boolean(false), Device1.legacyPairing: .boolean(false),
            Device1.connected: .boolean(false), Device1.uuids: .uuids([]),
            Device1.adapter: .objectPath(adapter), Device1.servicesResolved: .boolean(false),
        ]
        return DBusObject(
            [Device1.interface],
            values: [Device1.interfaceName: values.merging(others) { $1 }])
    }
}

extension DBusObjectPath {
    static func device(_ address: String, on adapter: DBusObjectPath) -> DBusObjectPath {
        .fake("\(adapter.text)/dev_\(address.replacing(":", with: "_"))")
    }
}

extension DBusValue {
    static func uuids(_ uuids: [BluetoothUUID]) -> DBusValue { .strings(uuids.map(\.busText)) }
}

extension FakeHeard {
    /// The properties except for the name, the services and the RSSI.
    var properties: [String: DBusValue] {
        var properties: [String: DBusValue] = [:]
        if !manufacturerData.isEmpty {
            properties[Device1.manufacturerData] = .dictionary(
                key: .uint16, value: .variant,
                manufacturerData.sortedByKey.map {
                    DBusEntry(.uint16($0.key), .variant(.bytes($0.value)))
                })
        }
        if !serviceData.isEmpty {
            properties[Device1.serviceData] = .properties(
                [String: DBusValue](
                    serviceData.map { ($0.key.busText, .bytes($0.value)) },
                    uniquingKeysWith: { $1 }))
        }
        if let txPower { properties[Device1.txPower] = .int16(txPower) }
        return properties
    }
}
#endif
