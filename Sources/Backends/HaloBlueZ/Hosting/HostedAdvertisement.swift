#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// An advertisement in the daemon's terms: properties with a meaning instead of bytes.
///
/// The daemon puts the name into the scan response and everything else into the advertisement,
/// wherever the device had it. These cannot be expressed and are left out: flags other than
/// discoverable; the value of the transmit power, for which the controller's own is taken; whether
/// a list of services or a name is complete; a name that is no text; a company or service without
/// data; a structure of a type that the daemon refuses; a second entry of the same company, service
/// or type. The interval is one of its experimental properties: 5.66 ignores it, and advertises
/// every 1.28 seconds.
struct HostedAdvertisement: Hashable, Sendable {
    private(set) var values: [String: DBusValue] = [:]
    private(set) var name: String?
    private var parts: [(what: String, length: Int)] = []
    private var isDiscoverable = false
    private var services: [BluetoothUUID] = []
    private var solicited: [BluetoothUUID] = []
    private var companies: [UInt16: [UInt8]] = [:]
    private var serviceData: [String: [UInt8]] = [:]
    private var others: [UInt8: [UInt8]] = [:]

    /// The bytes of a structure's length and type.
    private static let header = 2

    /// Structures without a case of their own for which the daemon has a property.
    private enum Known: UInt8 {
        case shortSolicitation = 0x14
        case longSolicitation = 0x15
        case appearance = 0x19
    }

    init(_ advertisement: PeripheralAdvertisement) {
        let structures =
            advertisement.data.structures + (advertisement.scanResponse?.structures ?? [])
        for structure in structures { add(structure.content) }
        setLists()
        name = advertisement.data.name?.text ?? advertisement.scanResponse?.name?.text
        let kind =
            advertisement.isConnectable ? LEAdvertisement1.peripheral : LEAdvertisement1.broadcast
        values[LEAdvertisement1.type] = .string(kind)
        values[LEAdvertisement1.localName] = name.map { .string($0) }
        let milliseconds = advertisement.interval.wholeMicroseconds / 1000
        let range = LEAdvertisement1.intervals
        let interval = min(max(UInt32(clamping: milliseconds), range.lowerBound), range.upperBound)
        values[LEAdvertisement1.minInterval] = .uint32(interval)
        values[LEAdvertisement1.maxInterval] = .uint32(interval)
        // The daemon refuses a broadcaster that is discoverable.
        if advertisement.isConnectable, isDiscoverable {
            values[LEAdvertisement1.discoverable] = .boolean(true)
            parts.append(("the flags", 3))
        }
    }

    /// The content that is too long for a legacy advertisement; `nil` if all fits. Controllers with
    /// extended advertising accept longer content.
    var excess: String? {
        let room = AdvertisingData.legacyLength
        if let name, name.utf8.count + 2 > room {
            return "the name takes \(name.utf8.count + 2) of \(room) bytes"
        }
        let length = parts.reduce(0) { $0 + $1.length }
        guard length > room, let longest = parts.max(by: { $0.length < $1.length }) else {
            return nil
        }
        return "it takes \(length) of \(room) bytes, of which \(longest.what) \(longest.length)"
    }

    static func == (one: HostedAdvertisement, other: HostedAdvertisement) -> Bool {
        one.values == other.values
    }

    func hash(into hasher: inout Hasher) { hasher.combine(values) }

    private mutating func add(_ content: AdvertisingStructure.Content) {
        switch content {
        case .flags(let flags):
            isDiscoverable =
                isDiscoverable
                || !flags.isDisjoint(with: [.generalDiscoverable, .limitedDiscoverable])
        case .services(let list, _):
            let before = Self.length(of: services)
            services += list.uuids.filter { !services.contains($0) }
            count("the services", Self.length(of: services) - before)
        // The daemon has the name beside the structures.
        case .name: break
        case .transmitPower:
            values[LEAdvertisement1.includes] = .strings([LEAdvertisement1.includesPower])
            count("the transmit power", Self.header + 1)
        case .shortServiceData(let service, let data):
            add(data, of: BluetoothUUID(UInt32(service)), 2)
        case .mediumServiceData(let service, let data): add(data, of: BluetoothUUID(service), 4)
        case .longServiceData(let service, let data): add(data, of: service, 16)
        case .manufacturerData(let company, let data):
            // The daemon refuses a company or service without data (5.66).
            guard companies[company] == nil, !data.isEmpty else { return }
            companies[company] = data
            count("the companies' data", Self.header + 2 + data.count)
        case .other(let type, let bytes): add(bytes, type)
        }
    }

    private mutating func add(_ data: [UInt8], of service: BluetoothUUID, _ length: Int) {
        guard serviceData[service.busText] == nil, !data.isEmpty else { return }
        serviceData[service.busText] = data
        count("the services' data", Self.header + length + data.count)
    }

    private mutating func add(_ bytes: [UInt8], _ type: UInt8) {
        switch Known(rawValue: type) {
        case .shortSolicitation where bytes.count.isMultiple(of: 2):
            solicited += stride(from: 0, to: bytes.count, by: 2).map { start in
                BluetoothUUID(UInt32(Self.number(bytes[start..<start + 2])))
            }
        case .longSolicitation where bytes.count.isMultiple(of: 16):
            solicited += stride(from: 0, to: bytes.count, by: 16).map { start in
                let service = bytes[start..<start + 16]
                return BluetoothUUID(
                    high: Self.number(service.dropFirst(8)), low: Self.number(service.dropLast(8)))
            }
        case .appearance where bytes.count == 2:
            let appearance = UInt16(truncatingIfNeeded: Self.number(bytes[...]))
            values[LEAdvertisement1.appearance] = .uint16(appearance)
        default:
            // One refused structure would make the daemon refuse the whole advertisement.
            guard others[type] == nil, !LEAdvertisement1.isRefused(type) else { return }
            others[type] = bytes
        }
        count("structures of other types", Self.header + bytes.count)
    }

    private mutating func setLists() {
        let byCompany = companies.sortedByKey.map {
            DBusEntry(.uint16($0.key), .variant(.bytes($0.value)))
        }
        let byType = others.sortedByKey.map {
            DBusEntry(.byte($0.key), .variant(.bytes($0.value)))
        }
        values[LEAdvertisement1.serviceUUIDs] =
            services.isEmpty ? nil : .strings(services.map(\.busText))
        values[LEAdvertisement1.solicitUUIDs] =
            solicited.isEmpty ? nil : .strings(solicited.map(\.busText))
        values[LEAdvertisement1.manufacturerData] =
            companies.isEmpty ? nil : .dictionary(key: .uint16, value: .variant, byCompany)
        values[LEAdvertisement1.serviceData] =
            serviceData.isEmpty ? nil : .properties(serviceData.mapValues { .bytes($0) })
        values[LEAdvertisement1.data] =
            others.isEmpty ? nil : .dictionary(key: .byte, value: .variant, byType)
    }

    private mutating func count(_ what: String, _ length: Int) {
        if let index = parts.firstIndex(where: { $0.what == what }) {
            parts[index].length += length
        } else {
            parts.append((what, length))
        }
    }

    /// Returns the length of the services on the air: the daemon sends each UUID in its shortest
    /// form, and all of one length together.
    private static func length(of services: [BluetoothUUID]) -> Int {
        let short = services.filter { $0.short16 != nil }.count
        let long = services.count - short
        return (short == 0 ? 0 : header + 2 * short) + (long == 0 ? 0 : header + 16 * long)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
#endif
