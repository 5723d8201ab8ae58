/// The role of a field in its packet.
@frozen
public enum FieldRole: Hashable, Sendable {
    /// A value: changing it changes just these bytes of the encoding.
    case value
    /// A part of the structure, such as an index or a kind: it decides which fields follow.
    case structure
    /// Bytes of unknown meaning; they are kept, or must be zero.
    case unclaimed
    /// A part of the envelope without information of its own: opcode, checksum, marker, count,
    /// length.
    case framing
}

/// The observer of a decoder: each field is passed to it.
///
/// One decoder serves three purposes. A program decodes with ``IgnoringSink``, at no cost. An
/// ``Explanation`` records every field. Tests return another value than the bytes hold, to check
/// that the packet's encoding follows its values and not its input.
public protocol FieldSink {
    /// `false` for a sink that ignores all fields: a constant, so that the optimiser removes its
    /// calls.
    static var isWatching: Bool { get }

    /// Receives an integer of `width` bytes at `offset`. The decoder uses the value returned.
    mutating func integer(
        _ name: FieldName, at offset: Int, width: Int, isBigEndian: Bool,
        role: FieldRole, secrecy: FieldSecrecy, unit: FieldUnit, value: UInt64
    ) -> UInt64

    /// Receives bytes at `offset`. The decoder uses the bytes returned.
    mutating func bytes(
        _ name: FieldName, at offset: Int, role: FieldRole, secrecy: FieldSecrecy,
        unit: FieldUnit, value: [UInt8]
    ) -> [UInt8]

    /// Receives the last field's meaning in words.
    mutating func means(_ meaning: () -> String)

    /// Begins element `index` of `name`: the fields up to ``leave()`` belong to it.
    mutating func enter(_ name: FieldName, _ index: Int)

    /// Ends the element.
    mutating func leave()
}

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
