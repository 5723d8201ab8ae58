#if canImport(CoreBluetooth) && !os(tvOS) && !os(watchOS) && !os(visionOS)
internal import CoreBluetooth
internal import HaloProtocol
internal import HaloTransport

/// An advertisement as far as the system lets an app advertise: a name and services.
///
/// The system chooses the flags, the transmit power and the interval, and cuts what does not fit:
/// while the app is in the foreground, there are 28 bytes, and 10 more for the name alone. In the
/// background it advertises the services only, in a way that Apple's devices alone can read.
struct SystemAdvertisement: Equatable {
    private(set) var name: String?
    private(set) var services: [BluetoothUUID] = []
    private(set) var notes: [HostingNote] = []

    /// The room for services and the name, with the two bytes before each list. Apple's page says
    /// without them, but a packet has 31 bytes, and the flags take 3.
    static let room = 28
    /// The room for the name in the scan response.
    static let roomForName = 10

    init(_ advertisement: PeripheralAdvertisement) {
        name = (advertisement.data.name ?? advertisement.scanResponse?.name)?.text
        let parts = [advertisement.data, advertisement.scanResponse].compactMap { $0 }
        for uuid in parts.flatMap(\.services) where !services.contains(uuid) {
            services.append(uuid)
        }
        var left: [String] = []
        for structure in parts.flatMap(\.structures) {
            switch structure.content {
            case .flags, .services, .name, .transmitPower: break
            case .shortServiceData, .mediumServiceData, .longServiceData:
                left.append("service data")
            case .manufacturerData: left.append("manufacturer data")
            case .other(let type, _): left.append("the structure of type \(type)")
            }
        }
        for what in left {
            note("\(what) is not advertised: the system advertises a name and services only")
        }
        if !advertisement.isConnectable {
            note("the system accepts connections while it advertises")
        }
        let widths = services.map(\.width)
        let length = widths.reduce(0, +) + 2 * Set(widths).count
        if length > Self.room {
            note("\(length) bytes of services are more than \(Self.room): the system hides some")
        }
        if let count = name?.utf8.count, count > max(Self.room - length - 2, Self.roomForName) {
            note("the name has \(count) bytes, and the system cuts it")
        }
    }

    var isEmpty: Bool { name == nil && services.isEmpty }

    var dictionary: [String: Any] {
        var dictionary: [String: Any] = [:]
        if let name { dictionary[CBAdvertisementDataLocalNameKey] = name }
        if !services.isEmpty {
            dictionary[CBAdvertisementDataServiceUUIDsKey] = services.map(\.system)
        }
        return dictionary
    }

    private mutating func note(_ text: String) {
        let note = HostingNote(.advertisement, text)
        if !notes.contains(note) { notes.append(note) }
    }
}

extension BluetoothUUID {
    /// The number of bytes in an advertisement of the system.
    fileprivate var width: Int { short16 != nil ? 2 : 16 }
}
#endif
