/// The sink of ordinary decoding: it ignores all fields, and the optimiser removes it.
@frozen
public struct IgnoringSink: FieldSink {
    /// `false`: fields are ignored.
    @inlinable @inline(__always)
    public static var isWatching: Bool { false }

    @inlinable @inline(__always)
    public init() {}

    /// Returns the value unchanged.
    @inlinable @inline(__always)
    public mutating func integer(
        _ name: FieldName, at offset: Int, width: Int, isBigEndian: Bool,
        role: FieldRole, secrecy: FieldSecrecy, unit: FieldUnit, value: UInt64
    ) -> UInt64 { value }

    /// Returns the bytes unchanged.
    @inlinable @inline(__always)
    public mutating func bytes(
        _ name: FieldName, at offset: Int, role: FieldRole, secrecy: FieldSecrecy,
        unit: FieldUnit, value: [UInt8]
    ) -> [UInt8] { value }

    /// Does nothing.
    @inlinable @inline(__always)
    public mutating func means(_ meaning: () -> String) {}

    /// Does nothing.
    @inlinable @inline(__always)
    public mutating func enter(_ name: FieldName, _ index: Int) {}

    /// Does nothing.
    @inlinable @inline(__always)
    public mutating func leave() {}
}
