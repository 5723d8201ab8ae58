import HaloProtocol
import HaloTransport

/// The attributes of a device, as discovered.
struct AttributeTable: Hashable, Sendable {
    /// A service and the handles of its attributes.
    struct Service: Hashable, Sendable {
        var uuid: BluetoothUUID
        var handles: ClosedRange<UInt16>
        var isPrimary: Bool
    }

    /// A characteristic.
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

    /// The number of entries.
    var count: Int { services.count + characteristics.count + types.count }

    /// Adds the attributes in an event of a discovery.
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

    /// The UUID of an attribute, or `nil` if it is unknown.
    func uuid(of handle: UInt16) -> BluetoothUUID? {
        characteristics[handle]?.uuid ?? types[handle]
    }

    /// `true` if all attributes behind a value, up to a handle, are neither values of
    /// characteristics nor declarations.
    func hasOnlyDescriptors(after value: UInt16, to handle: UInt16) -> Bool {
        value < handle
            && (value + 1...handle).allSatisfy { types[$0] != nil && characteristics[$0] == nil }
    }

    /// The part of the table for some handles.
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

/// The attributes of a device in the order of handles, for fast lookup.
struct AttributeOrder: Sendable {
    /// The handles of the values of characteristics, in order.
    private let values: [UInt16]
    /// The services, the smallest first; of two of the same size, the one discovered first.
    private let services: [AttributeTable.Service]

    init(_ table: AttributeTable) {
        values = table.characteristics.keys.sorted()
        services = table.services.enumerated()
            .sorted {
                ($0.element.handles.count, $0.offset) < ($1.element.handles.count, $1.offset)
            }
            .map(\.element)
    }

    /// The value handle of the characteristic that a descriptor belongs to.
    func value(before handle: UInt16) -> UInt16? {
        let end = Self.countBelow(handle, in: values)
        return end > 0 ? values[end - 1] : nil
    }

    /// The service of each handle: the smallest one around it, or `nil`. The handles must be in
    /// order.
    func services(of handles: [UInt16]) -> [AttributeTable.Service?] {
        var found = [AttributeTable.Service?](repeating: nil, count: handles.count)
        // For each index, the next one without a service.
        var next = Array(0...handles.count)
        func free(_ start: Int) -> Int {
            var index = start
            while next[index] != index {
                next[index] = next[next[index]]
                index = next[index]
            }
            return index
        }
        for service in services {
            var index = free(Self.countBelow(service.handles.lowerBound, in: handles))
            while index < handles.count, handles[index] <= service.handles.upperBound {
                found[index] = service
                next[index] = index + 1
                index = free(index + 1)
            }
        }
        return found
    }

    /// The number of sorted numbers below a number.
    private static func countBelow(_ number: UInt16, in numbers: [UInt16]) -> Int {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
