internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// What a phone hosts: the services of all managers in one device. It belongs to the queue of its
/// ``PhoneSystem``.
struct Hosting {
    /// The device on the air, since the first service or advertisement.
    var device: HostedPhone?
    var services: [(manager: UInt64, service: HostedService)] = []
    var advertisements: [UInt64: HostedAdvertisement] = [:]
    /// The connected central.
    var central: HostedCentral?
    var subscriptions: Set<AttributeID> = []
    /// The requests that no app has answered.
    var openRequests: Set<ResponseToken> = []
    /// `true` if the next write without response begins a new call of the delegate.
    var endsBatch = false
    /// The moment at which the last update is sent.
    var sendingUntil = Moment.origin
    /// The managers of the indications that wait for their confirmation, by characteristic.
    var indications: [AttributeID: [UInt64]] = [:]

    var identity: PeripheralIdentity? { device?.identity }

    func attribute(_ id: AttributeID) -> (manager: UInt64, attribute: HostedAttribute)? {
        for (manager, service) in services {
            if let attribute = service.attributes[id] { return (manager, attribute) }
        }
        return nil
    }
}

/// A manager of the peripheral role, as the system knows it.
final class HostRecord {
    let number: UInt64
    let isTerminated: Guarded<Bool>
    let manager: Weak<CBPeripheralManager>
    private let queue: DispatchQueue

    init(_ manager: CBPeripheralManager) {
        number = manager.number
        queue = manager.queue
        isTerminated = manager.isTerminated
        self.manager = Weak(manager)
    }

    /// Runs a function on the manager's queue, if the manager still exists then.
    func post(_ body: @escaping @Sendable (CBPeripheralManager) -> Void) {
        queue.async { [manager, isTerminated] in
            guard !isTerminated.value, let manager = manager.object else { return }
            body(manager)
        }
    }
}

/// The central that is connected to the phone. The radio does not say which it is, so that all have
/// one identifier.
struct HostedCentral: Sendable {
    let connection: UInt64
    let identifier: UUID
    /// The maximum number of bytes of one update.
    let length: Guarded<Int>
}

struct HostedRead: Sendable {
    let attribute: AttributeID
    let offset: Int
    let token: ResponseToken
}

struct HostedWrite: Sendable {
    let attribute: AttributeID
    let value: [UInt8]
    let token: ResponseToken?
}

/// A characteristic or a descriptor of a hosted service.
struct HostedAttribute: Sendable {
    let permissions: CBAttributePermissions
    /// The constant value; `nil` if the app answers.
    let constant: [UInt8]?
}

/// A hosted service, with numbers for its attributes.
struct HostedService: Sendable {
    let description: GATTService
    let attributes: [AttributeID: HostedAttribute]

    /// Describes a service of an app, and numbers its attributes.
    init(_ service: CBMutableService, _ system: PhoneSystem) {
        var attributes: [AttributeID: HostedAttribute] = [:]
        let characteristics = (service.characteristics ?? []).map { characteristic in
            let id = system.makeAttribute()
            characteristic.attribute = id
            let mutable = characteristic as? CBMutableCharacteristic
            let permissions = mutable?.permissions ?? .readable
            attributes[id] = HostedAttribute(
                permissions: permissions, constant: characteristic.value.map { [UInt8]($0) })
            let descriptors = (characteristic.descriptors ?? []).map { descriptor in
                let id = system.makeAttribute()
                attributes[id] = HostedAttribute(
                    permissions: .readable, constant: descriptor.constantBytes)
                return GATTDescriptor(id, descriptor.uuid.bluetooth)
            }
            let properties = characteristic.properties
            return GATTCharacteristic(
                id, characteristic.uuid.bluetooth,
                GATTProperties(rawValue: UInt8(truncatingIfNeeded: properties.rawValue)),
                permissions: GATTPermissions(properties, permissions), descriptors: descriptors)
        }
        self.attributes = attributes
        description = GATTService(
            service.uuid.bluetooth, isPrimary: service.isPrimary,
            characteristics: characteristics)
    }

    var characteristics: [AttributeID] { description.characteristics.map(\.id) }
}

extension GATTPermissions {
    fileprivate init(
        _ properties: CBCharacteristicProperties, _ permissions: CBAttributePermissions
    ) {
        self = []
        if permissions.contains(.readEncryptionRequired) { insert(.readEncrypted) }
        if permissions.contains(.writeEncryptionRequired) { insert(.writeEncrypted) }
        let encrypted: CBCharacteristicProperties = [
            .notifyEncryptionRequired, .indicateEncryptionRequired,
        ]
        if !properties.isDisjoint(with: encrypted) { insert(.subscribeEncrypted) }
    }
}

extension CBDescriptor {
    /// The bytes of a hosted descriptor.
    fileprivate var constantBytes: [UInt8] {
        switch value {
        case let text as String: Array(text.utf8)
        case let data as Data: [UInt8](data)
        default: []
        }
    }
}

/// An advertisement of an app: a name and services, and nothing else.
struct HostedAdvertisement: Hashable, Sendable {
    let name: String?
    let services: [BluetoothUUID]

    /// The bytes beside the flags.
    private static let room = 28
    /// The bytes of a name in the scan response.
    private static let responseRoom = 10

    /// The bytes on the air. Services come first; those that find no room are left out. A name that
    /// finds none is cut, and sent in the scan response.
    var onAir: PeripheralAdvertisement {
        var bytes: [UInt8] = [2, 1, 6]
        var room = Self.room
        let short = services.compactMap { uuid in
            uuid.short16.map { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        }
        let long = services.filter { $0.short16 == nil }.map { uuid in
            [uuid.low, uuid.high].flatMap { word in
                withUnsafeBytes(of: word.littleEndian) { Array($0) }
            }
        }
        for (list, type) in [(short, UInt8(0x03)), (long, 0x07)] {
            guard let size = list.first?.count, room >= size + 2 else { continue }
            let count = min(list.count, (room - 2) / size)
            let isComplete = count == list.count
            bytes += [UInt8(count * size + 1), isComplete ? type : type - 1]
            bytes += list.prefix(count).joined()
            room -= count * size + 2
        }
        var response: [UInt8]?
        if let name, !name.isEmpty {
            let text = Array(name.utf8)
            if text.count + 2 <= room {
                bytes += [UInt8(text.count + 1), 0x09] + text
            } else {
                let cut = Array(text.prefix(Self.responseRoom))
                response = [UInt8(cut.count + 1), cut.count == text.count ? 0x09 : 0x08] + cut
            }
        }
        return PeripheralAdvertisement(
            AdvertisingData(lenient: bytes),
            scanResponse: response.map { AdvertisingData(lenient: $0) },
            interval: .milliseconds(100))
    }
}
