import HaloProtocol

/// The attributes of a device in the order of their handles, for who asks of many.
struct AttributeOrder: Sendable {
    /// The values of characteristics.
    private let values: [UInt16]
    /// The smallest first; of two that are as small, the one that was told first.
    private let services: [AttributeTable.Service]

    init(_ table: AttributeTable) {
        values = table.characteristics.keys.sorted()
        services = table.services.enumerated()
            .sorted {
                ($0.element.handles.count, $0.offset) < ($1.element.handles.count, $1.offset)
            }
            .map(\.element)
    }

    /// The value of the characteristic that a descriptor belongs to.
    func value(before handle: UInt16) -> UInt16? {
        let end = Self.place(of: handle, in: values)
        return end > 0 ? values[end - 1] : nil
    }

    /// The service that each of some handles belongs to: the smallest one around it. The handles
    /// are in order.
    func services(of handles: [UInt16]) -> [AttributeTable.Service?] {
        var found = [AttributeTable.Service?](repeating: nil, count: handles.count)
        // Where the next handle is that has no service yet.
        var next = Array(0...handles.count)
        func free(_ start: Int) -> Int {
            var place = start
            while next[place] != place {
                next[place] = next[next[place]]
                place = next[place]
            }
            return place
        }
        for service in services {
            var place = free(Self.place(of: service.handles.lowerBound, in: handles))
            while place < handles.count, handles[place] <= service.handles.upperBound {
                found[place] = service
                next[place] = place + 1
                place = free(place + 1)
            }
        }
        return found
    }

    /// How many numbers are smaller.
    private static func place(of number: UInt16, in numbers: [UInt16]) -> Int {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension AttributeTable {
    /// As much of the table as concerns some handles.
    func part(for handles: some Sequence<UInt16>, _ order: AttributeOrder) -> AttributeTable {
        var part = AttributeTable()
        for handle in handles {
            for handle in [handle, order.value(before: handle) ?? handle] {
                if let characteristic = characteristics[handle] {
                    part.addCharacteristic(characteristic, value: handle)
                }
                if let type = types[handle] { part.addType(type, handle: handle) }
            }
        }
        let wanted = Set(part.characteristics.keys).union(part.types.keys).sorted()
        for case let service? in order.services(of: wanted) { part.addService(service) }
        return part
    }
}
