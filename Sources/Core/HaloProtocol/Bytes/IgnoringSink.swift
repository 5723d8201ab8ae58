/// The sink of ordinary decoding: it ignores all fields, and the optimiser removes it.
@frozen
@usableFromInline package struct IgnoringSink: FieldSink {
    @inlinable @inline(__always)
    package static var isWatching: Bool { false }

    @inlinable @inline(__always)
    package init() {}

    @inlinable @inline(__always)
    package mutating func integer(
        _ name: FieldName, at offset: Int, width: Int, isBigEndian: Bool,
        role: FieldRole, secrecy: FieldSecrecy, unit: FieldUnit, value: UInt64
    ) -> UInt64 { value }

    @inlinable @inline(__always)
    package mutating func bytes(
        _ name: FieldName, at offset: Int, role: FieldRole, secrecy: FieldSecrecy,
        unit: FieldUnit, value: [UInt8]
    ) -> [UInt8] { value }

    @inlinable @inline(__always)
    package mutating func means(_ meaning: () -> String) {}

    @inlinable @inline(__always)
    package mutating func enter(_ name: FieldName, _ index: Int) {}

    @inlinable @inline(__always)
    package mutating func leave() {}
}
