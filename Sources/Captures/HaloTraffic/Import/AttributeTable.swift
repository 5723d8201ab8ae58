import HaloProtocol
import HaloTransport

struct AttributeTable: Hashable, Sendable {
    struct Service: Hashable, Sendable {
        var uuid: BluetoothUUID
        var handles: ClosedRange<UInt16>
        var isPrimary: Bool
    }

    struct Characteristic: Hashable, Sendable {
        var uuid: BluetoothUUID
        var properties: GATTProperties
    }

    /// The services, in the order in which they were discovered.
    private(set) var services: [Service] = []
    /// The characteristics, by the handles of their values.
    private(set) var characteristics: [UInt16: Characteristic] = [:]
    /// The types of all other attributes that are not declarations.
    private(set) var types: [UInt16: BluetoothUUID] = [:]

    /// The services again, for fast lookup, as a set and by their first handle: a device may have
    /// thousands.
    private var known: Set<Service> = []
    private var indices: [UInt16: Int] = [:]

    var count: Int { services.count + characteristics.count + types.count }

    mutating func add(_ event: ConversationEvent) {
        switch event {
        case .service(let uuid, let first, let last, let isPrimary) where first <= last:
            addService(Service(uuid: uuid, handles: first...last, isPrimary: isPrimary))
        case .characteristic(let uuid, let value, let properties):
            characteristics[value] = Characteristic(uuid: uuid, properties: properties)
        case .descriptor(let uuid, let handle):
            types[handle] = uuid
        default:
            break
        }
    }

    private mutating func addService(_ service: Service) {
        guard let same = indices[service.handles.lowerBound] else { return append(service) }
        guard service.isPrimary || !services[same].isPrimary else { return }
        known.remove(services[same])
        known.insert(service)
        services[same] = service
    }

    private mutating func append(_ service: Service) {
        let first = service.handles.lowerBound
        indices[first] = indices[first] ?? services.count
        known.insert(service)
        services.append(service)
    }

    /// Adds the entries of another table that this one lacks.
    mutating func fill(from other: AttributeTable) {
        for service in other.services where !known.contains(service) { append(service) }
        characteristics.merge(other.characteristics) { own, _ in own }
        types.merge(other.types) { own, _ in own }
    }

    func uuid(of handle: UInt16) -> BluetoothUUID? {
        characteristics[handle]?.uuid ?? types[handle]
    }

    /// `true` if all attributes behind a value, up to a handle, are neither values of
    /// characteristics nor declarations.
    func hasOnlyDescriptors(after value: UInt16, to handle: UInt16) -> Bool {
        value < handle
            && (value + 1...handle).allSatisfy { types[$0] != nil && characteristics[$0] == nil }
    }

    func part(for handles: some Sequence<UInt16>, _ order: AttributeOrder) -> AttributeTable {
        var part = AttributeTable()
        for handle in handles {
            for handle in [handle, order.value(before: handle) ?? handle] {
                part.characteristics[handle] = characteristics[handle]
                part.types[handle] = types[handle]
            }
        }
        let wanted = Set(part.characteristics.keys).union(part.types.keys).sorted()
        for case let service? in order.services(of: wanted) { part.addService(service) }
        return part
    }
}
