/// What a field is to its packet.
@frozen
public enum FieldRole: Hashable, Sendable {
    /// A value of the packet: changing it changes these bytes of the encoding and no others.
    case value
    /// Part of the packet's shape (an index, a kind): it decides what follows.
    case structure
    /// Bytes whose meaning nobody knows; they are kept, or must be zero.
    case unclaimed
    /// What holds the packet together and says nothing of its own: opcode, checksum, markers,
    /// and counts and lengths of what is there to see.
    case framing
}

/// Watches a packet being decoded, field by field.
///
/// The same decoder serves a program (which watches with ``IgnoringSink``, at no cost), an
/// ``Explanation`` (which notes every field) and tests (which answer with another value than
/// the bytes hold, to see that the packet's encoding follows its values and not its input).
public protocol FieldSink {
    /// Whether anything is watching: a constant, so that an unwatched decoder has no trace of it.
    static var isWatching: Bool { get }

    /// An integer of `width` bytes was read at `offset`; the decoder goes on with the answer.
    mutating func integer(
        _ name: FieldName, at offset: Int, width: Int, isBigEndian: Bool,
        role: FieldRole, unit: FieldUnit, value: UInt64
    ) -> UInt64

    /// A run of bytes was read at `offset`; the decoder goes on with the answer.
    mutating func bytes(
        _ name: FieldName, at offset: Int, role: FieldRole, unit: FieldUnit, value: [UInt8]
    ) -> [UInt8]

    /// What the field just read means, in words.
    mutating func means(_ meaning: () -> String)

    /// The fields that follow belong to element `index` of `name`, until ``leave()``.
    mutating func enter(_ name: FieldName, _ index: Int)

    /// The element ended.
    mutating func leave()
}

/// The sink of ordinary decoding: it notes nothing, and the optimiser leaves nothing of it.
@frozen
public struct IgnoringSink: FieldSink {
    /// Nothing is watching.
    @inlinable @inline(__always)
    public static var isWatching: Bool { false }

    /// Makes a sink.
    @inlinable @inline(__always)
    public init() {}

    /// Answers with the value read.
    @inlinable @inline(__always)
    public mutating func integer(
        _ name: FieldName, at offset: Int, width: Int, isBigEndian: Bool,
        role: FieldRole, unit: FieldUnit, value: UInt64
    ) -> UInt64 { value }

    /// Answers with the bytes read.
    @inlinable @inline(__always)
    public mutating func bytes(
        _ name: FieldName, at offset: Int, role: FieldRole, unit: FieldUnit, value: [UInt8]
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
