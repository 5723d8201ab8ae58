/// The observer of a decoder: each field is passed to it.
///
/// One decoder serves three purposes. A program decodes with ``IgnoringSink``, at no cost. An
/// ``Explanation`` records every field. Tests return another value than the bytes hold, to check
/// that the packet's encoding follows its values and not its input.
@usableFromInline package protocol FieldSink {
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

    mutating func leave()
}
