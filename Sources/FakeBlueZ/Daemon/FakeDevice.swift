#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A device, as one adapter knows it.
struct FakeDevice {
    let number: Int
    /// The adapter that knows it.
    let adapter: Int
    /// What was met last under its address; it may be gone.
    var airborne: Int
    /// The address under which it is met.
    let airborneAddress: String
    let path: DBusObjectPath
    var address: String
    var name: String?
    var alias: String?
    var isTrusted = false
    var isBlocked = false
    var isPaired = false
    /// Nobody has connected to it: it is forgotten when it is not seen for a while.
    var isTemporary = true
    /// What was told of it last.
    var heard: FakeHeard?
    var hasRSSI = false
    var uuids: [BluetoothUUID] = []
    var gatt: FakeGATT?
    var attempt: FakeAttempt?
    var link: FakeLink?
    var battery: Int?
    /// What the device said of its maker and itself.
    var modalias: String?
    /// Who asked to end the link, and waits until it has.
    var leaving: [DBusRequest] = []
    /// It is to be known no longer when the link has ended.
    var isLeavingForGood = false
    /// Whether there is a link over the older Bluetooth; `nil` if the device has only low energy.
    /// One with both has an interface for each kind of link.
    var isConnectedByClassic: Bool?
    /// Requests that are never answered.
    var unanswered: [DBusRequest] = []
    /// A link that only seems to be there.
    var ghost: UInt64?
    /// Tells the times at which it could be forgotten from each other.
    var forgetting: UInt64 = 0

    /// A device that was not known before, with what it advertises, if it does.
    init(_ number: Int, _ adapter: FakeAdapter, _ airborne: FakeAirborne, hasRSSI: Bool) {
        self.number = number
        self.adapter = adapter.number
        self.airborne = airborne.number
        airborneAddress = airborne.address
        address = airborne.address
        let digits = airborne.address.replacing(":", with: "_")
        path = .fake("\(adapter.path.text)/dev_\(digits)")
        heard = airborne.heard
        name = heard?.name
        uuids = heard?.services ?? []
        self.hasRSSI = hasRSSI
    }

    /// Everything that somebody waits for.
    var requests: [DBusRequest] {
        let operations = link?.operations.all ?? []
        return unanswered + leaving + (attempt?.all ?? []) + (link?.pairing ?? [])
            + operations.compactMap(\.request)
            + (gatt?.characteristics ?? []).compactMap(\.heldAnswer)
    }

    /// `true` while the device has no link, and no attempt to have one.
    var isIdle: Bool { link == nil && attempt == nil }

    /// What waits for a link is never answered.
    mutating func keepAttempt() {
        unanswered += attempt?.all ?? []
        attempt = nil
    }

    var isResolved: Bool { link?.isResolved == true }
    var isConnected: Bool { link != nil || isConnectedByClassic == true }

    /// What it is called, by whoever says so first.
    var shownAlias: String {
        alias ?? name ?? address.replacing(":", with: "-")
    }

    /// The object as 5.66 exports it when it is found.
    func object(
        on adapter: FakeAdapter, isAddressRandom: Bool, _ quirks: FakeQuirks
    ) -> DBusObject {
        var values: [String: DBusValue] = [
            Device1.address: .string(address),
            Device1.addressType: .string(isAddressRandom ? "random" : "public"),
            Device1.alias: .string(shownAlias), Device1.paired: .boolean(isPaired),
            Device1.bonded: .boolean(isPaired), Device1.trusted: .boolean(isTrusted),
            Device1.blocked: .boolean(isBlocked), Device1.legacyPairing: .boolean(false),
            Device1.connected: .boolean(isConnected), Device1.uuiDs: .uuids(uuids),
            Device1.adapter: .objectPath(adapter.path),
            Device1.servicesResolved: .boolean(isResolved),
        ]
        if let name { values[Device1.name] = .string(name) }
        if let modalias { values[Device1.modalias] = .string(modalias) }
        if let heard {
            if hasRSSI { values[Device1.rssi] = .int16(heard.rssi) }
            values.merge(heard.properties) { $1 }
        }
        return DBusObject([Device1.interface], values: [Device1.interfaceName: values])
            .falsified(quirks)
    }
}

extension DBusValue {
    /// Services as the daemon tells them.
    static func uuids(_ uuids: [BluetoothUUID]) -> DBusValue { .strings(uuids.map(\.busText)) }
}

extension FakeHeard {
    /// What is told of it besides the name, the services, and how strong it is.
    var properties: [String: DBusValue] {
        var properties: [String: DBusValue] = [:]
        if !manufacturerData.isEmpty {
            properties[Device1.manufacturerData] = .dictionary(
                key: .uint16, value: .variant,
                manufacturerData.sorted { $0.key < $1.key }.map {
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

/// Somebody connects, and is not connected yet.
struct FakeAttempt {
    /// Tells it from those before and after.
    let number: UInt64
    /// Those who asked, and wait.
    var requests: [DBusRequest]
    /// The device answers: what is left is the time that it takes.
    var isMeeting = false
    /// Somebody wants to pair, too.
    var pairing: [DBusRequest] = []

    /// All who wait for it.
    var all: [DBusRequest] { requests + pairing }
}

/// A link to a device.
struct FakeLink {
    /// Tells it from those before and after.
    let number: UInt64
    let mtu: Int
    var isResolved = false
    var isEncrypted: Bool
    /// Its end has begun by our own wish.
    var isEnding = false
    /// How often its services are still to be exported again.
    var exportsLeft: Int
    var operations = FakeOperations()
    /// The last value that was told.
    var lastValue: (value: [UInt8], path: DBusObjectPath)?
    /// Somebody pairs, and waits.
    var pairing: [DBusRequest] = []
    var pairingNumber: UInt64?
    /// `Pair` made this link.
    let isForPairing: Bool

    init(
        _ number: UInt64, mtu: Int, isEncrypted: Bool, isForPairing: Bool, exportsLeft: Int
    ) {
        self.number = number
        self.mtu = mtu
        self.isEncrypted = isEncrypted
        self.isForPairing = isForPairing
        self.exportsLeft = exportsLeft
    }
}
#endif
