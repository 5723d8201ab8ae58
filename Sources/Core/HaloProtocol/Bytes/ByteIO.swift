/// Passes over a packet of any length.
public protocol ByteIO: FieldIO, ~Escapable {
    /// Passes over `count` bytes.
    mutating func byteArray(
        _ name: FieldName, _ value: [UInt8]?, count: Int, role: FieldRole, secrecy: FieldSecrecy,
        unit: FieldUnit
    ) throws(PacketError) -> [UInt8]
    /// Consumes the next `width` bytes (1 to 8, and no more than remain), little endian, without
    /// a record: for layouts that are read in words. A writer does nothing, and returns 0.
    mutating func next(_ width: Int) -> UInt64
}

extension ByteIO where Self: ~Escapable {
    /// `count` bytes, or all remaining ones.
    @inlinable @inline(__always)
    public mutating func byteArray(
        _ name: FieldName, _ value: [UInt8]?, _ secrecy: FieldSecrecy, count: Int? = nil,
        _ unit: FieldUnit = .none
    ) throws(PacketError) -> [UInt8] {
        try byteArray(
            name, value, count: count ?? remaining, role: .value, secrecy: secrecy, unit: unit)
    }

    /// All remaining bytes, whose meaning is unknown.
    @inlinable
    public mutating func unclaimed(
        _ value: [UInt8]?, _ name: FieldName = "unclaimed", _ secrecy: FieldSecrecy = .unknown
    ) throws(PacketError) -> [UInt8] {
        let count = value?.count ?? remaining
        if count == 0 { return [] }
        return try byteArray(
            name, value, count: count, role: .unclaimed, secrecy: secrecy, unit: .none)
    }

    /// Groups up to the end of the packet, or `count` of them.
    mutating func elements<Element: ByteFields>(
        _ name: FieldName, _ values: [Element]?, count: Int? = nil
    ) throws(PacketError) -> [Element] {
        if let values {
            for value in values { _ = try Element(&self, value) }
            return values
        }
        var elements: [Element] = []
        let most = remaining / max(Element.leastLength, 1)
        elements.reserveCapacity(min(count ?? most, most))
        while count.map({ elements.count < $0 }) ?? (remaining > 0) {
            enter(name, elements.count)
            elements.append(try Element(&self, nil))
            leave()
        }
        return elements
    }
}
