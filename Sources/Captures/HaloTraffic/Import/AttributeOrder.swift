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
