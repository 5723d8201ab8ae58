/// The writer of packets of any length.
@frozen
@usableFromInline package struct ByteWriter: FieldWriter, ByteIO, Sendable {
    @usableFromInline package internal(set) var bytes: [UInt8]

    @usableFromInline package init(capacity: Int = 32) {
        bytes = []
        bytes.reserveCapacity(min(max(capacity, 0), Int(UInt16.max)))
    }

    @usableFromInline package mutating func put(_ value: UInt64, width: Int) {
        var rest = value
        for _ in 0..<min(max(width, 0), 8) {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest &>>= 8
        }
    }

    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    @usableFromInline package var offset: Int { bytes.count }

    @usableFromInline package mutating func next(_ width: Int) -> UInt64 { 0 }

    @usableFromInline package mutating func byteArray(
        _ name: FieldName, _ value: [UInt8]?, count: Int, role: FieldRole, secrecy: FieldSecrecy,
        unit: FieldUnit
    ) throws(PacketError) -> [UInt8] {
        let value = value ?? []
        append(value)
        return value
    }
}
