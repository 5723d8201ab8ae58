import HaloProtocol

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
        let end = values.partitionPoint { $0 < handle }
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
            var index = free(handles.partitionPoint { $0 < service.handles.lowerBound })
            while index < handles.count, handles[index] <= service.handles.upperBound {
                found[index] = service
                next[index] = index + 1
                index = free(index + 1)
            }
        }
        return found
    }
}
