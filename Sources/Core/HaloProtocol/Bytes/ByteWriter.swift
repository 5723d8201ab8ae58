/// The writer of packets of any length.
@frozen
@usableFromInline package struct ByteWriter: FieldWriter, ByteIO, Sendable {
    /// The bytes written so far.
    @usableFromInline package internal(set) var bytes: [UInt8]

    /// Creates an empty writer with reserved capacity.
    @usableFromInline package init(capacity: Int = 32) {
        bytes = []
        bytes.reserveCapacity(min(max(capacity, 0), Int(UInt16.max)))
    }

    /// Appends the low `width` bytes (1 to 8) of a number, little endian.
    @usableFromInline package mutating func put(_ value: UInt64, width: Int) {
        var rest = value
        for _ in 0..<min(max(width, 0), 8) {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest &>>= 8
        }
    }

    /// Appends bytes.
    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// The number of bytes written so far.
    @usableFromInline package var offset: Int { bytes.count }

    /// Does nothing, and returns 0.
    @usableFromInline package mutating func next(_ width: Int) -> UInt64 { 0 }

    /// Appends bytes.
    @usableFromInline package mutating func byteArray(
        _ name: FieldName, _ value: [UInt8]?, count: Int, role: FieldRole, secrecy: FieldSecrecy,
        unit: FieldUnit
    ) throws(PacketError) -> [UInt8] {
        let value = value ?? []
        append(value)
        return value
    }
}
