import HaloProtocol
import HaloTransport

/// A device with one characteristic for each possible fault.
struct TestDevice: GATTPeripheral {
    enum Attribute: UInt32, CaseIterable {
        case battery = 1
        case plain, values, refusesWrites, ownError, inProgress, silent, confirmed, writeOnly
        case encrypted, refusesReads, long, commands, tx, encryptedValues
        case encryptedSilent

        var id: AttributeID { AttributeID(rawValue) }

        var uuid: BluetoothUUID {
            self == .battery ? BluetoothUUID(0x2A19) : BluetoothUUID(0xAA00 + rawValue)
        }

        var properties: GATTProperties {
            switch self {
            case .battery, .values: [.read, .notify]
            case .plain: [.read, .write]
            case .refusesWrites, .ownError, .writeOnly: .write
            case .inProgress, .silent, .encryptedSilent, .encrypted, .refusesReads, .long: .read
            case .confirmed: .indicate
            case .commands: [.write, .writeWithoutResponse]
            case .tx, .encryptedValues: .notify
            }
        }

        var permissions: GATTPermissions {
            switch self {
            case .encrypted, .encryptedSilent: .readEncrypted
            case .encryptedValues: .subscribeEncrypted
            default: []
            }
        }
    }

    static let company: UInt16 = 0xFFFF
    static let name = "R02_TEST"
    /// The value of the attribute `long`, which has one byte more than a value may have.
    static let long = (0..<512).map { UInt8(truncatingIfNeeded: $0) }

    /// The values to send at the next change.
    var outbox: [(attribute: Attribute, value: [UInt8])] = []
    var mustDisconnect = false
    /// The name to advertise from the next change on.
    var newName: String?
    /// The value for a new subscriber; `nil` for none.
    var greeting: [UInt8]?
    var hasMore = false
    var hasMost = true
    var mustAnnounce = false
    /// `true`: the request that is not answered gets two answers at the next change.
    var mustAnswerTwice = false
    private(set) var unanswered: ResponseToken?
    var battery: UInt8 = 64
    private(set) var written: [[UInt8]] = []
    private(set) var subscriptions: [String] = []
    private(set) var confirmations = 0
    private(set) var maximumLength = 0

    var services: [GATTService] {
        func describe(_ attribute: Attribute) -> GATTCharacteristic {
            GATTCharacteristic(
                attribute.id, attribute.uuid, attribute.properties,
                permissions: attribute.permissions)
        }
        var all = [
            GATTService(BluetoothUUID(0x180F), characteristics: [describe(.battery)]),
            GATTService(
                BluetoothUUID(0xAA00),
                characteristics: Attribute.allCases.dropFirst().map { describe($0) }),
        ]
        if !hasMost { all.removeLast() }
        if hasMore { all.append(GATTService(BluetoothUUID(0xBB00), characteristics: [])) }
        return all
    }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started: effects.append(.advertise(Self.advertisement()))
        case .changed: obey(into: &effects)
        case .maximumLength(let length): maximumLength = length
        case .confirmed: confirmations += 1
        case .subscription(let id, let isOn):
            let name = Attribute(rawValue: id.rawValue).map { "\($0)" } ?? "?"
            subscriptions.append("\(name) \(isOn ? "on" : "off")")
            if isOn, id == Attribute.values.id, let greeting {
                effects.append(.notify(id, greeting))
            }
        case .read(let id, let offset, let token): read(id, offset, token, into: &effects)
        case .write(let id, let value, let token):
            switch Attribute(rawValue: id.rawValue) {
            case .refusesWrites: effects.refuse(.insufficientAuthorization, token)
            case .ownError: effects.refuse(ATTError(code: 0x80), token)
            default:
                written.append(value)
                effects.accept(token)
            }
        case .woken, .connected, .disconnected: break
        }
    }

    private mutating func obey(into effects: inout PeripheralEffects) {
        for (attribute, value) in outbox {
            effects.append(
                attribute == .confirmed
                    ? .indicate(attribute.id, value) : .notify(attribute.id, value))
        }
        outbox = []
        if mustAnnounce { effects.append(.servicesChanged) }
        mustAnnounce = false
        if mustAnswerTwice, let unanswered {
            effects.respond([5], to: unanswered)
            effects.refuse(.readNotPermitted, unanswered)
        }
        mustAnswerTwice = false
        if mustDisconnect { effects.append(.disconnect) }
        mustDisconnect = false
        if let newName { effects.append(.advertise(Self.advertisement(of: newName))) }
        newName = nil
    }

    private mutating func read(
        _ id: AttributeID, _ offset: Int, _ token: ResponseToken,
        into effects: inout PeripheralEffects
    ) {
        switch Attribute(rawValue: id.rawValue) {
        case .silent, .encryptedSilent: unanswered = token
        case .inProgress: effects.refuse(ATTError(code: 0xFE), token)
        case .refusesReads: effects.refuse(.readNotPermitted, token)
        case .long: effects.respond(Self.long + [7], from: offset, to: token)
        case .battery: effects.respond([battery], from: offset, to: token)
        default: effects.respond(Array("2".utf8), from: offset, to: token)
        }
    }

    static func advertisement(of name: String = name) -> PeripheralAdvertisement {
        let contents: [AdvertisingStructure.Content] = [
            .flags([.generalDiscoverable, .classicNotSupported]),
            .name(AdvertisedName(name), isComplete: true),
            .services(.short([0xAA00]), isComplete: true),
            .manufacturerData(company: company, [1, 2, 3]),
        ]
        let structures = contents.compactMap { try? AdvertisingStructure($0) }
        let data = (try? AdvertisingData(structures: structures)) ?? AdvertisingData(lenient: [])
        return PeripheralAdvertisement(data, interval: .milliseconds(20))
    }
}
