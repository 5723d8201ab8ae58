/// A byte of flags; bits of unknown meaning are kept.
///
/// The raw value of a `Flag` is the number of its bit, 0 to 7.
@frozen
public struct FieldFlags<Flag: FieldCode>: OptionSet, Hashable, Sendable, CustomStringConvertible {
    public typealias Element = Flag

    public var rawValue: UInt8

    @inlinable @inline(__always)
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable
    public func contains(_ flag: Flag) -> Bool { rawValue & Self.bit(flag) != 0 }

    @inlinable @discardableResult
    public mutating func insert(_ flag: Flag) -> (inserted: Bool, memberAfterInsert: Flag) {
        (update(with: flag) == nil, flag)
    }

    @inlinable @discardableResult
    public mutating func remove(_ flag: Flag) -> Flag? {
        defer { rawValue &= ~Self.bit(flag) }
        return contains(flag) ? flag : nil
    }

    @inlinable @discardableResult
    public mutating func update(with flag: Flag) -> Flag? {
        defer { rawValue |= Self.bit(flag) }
        return contains(flag) ? flag : nil
    }

    @inlinable static func bit(_ flag: Flag) -> UInt8 { 1 << flag.rawValue }

    /// The flags that are set, in words: `blood oxygen, weather, bit 5 (unknown)`. In Embedded
    /// Swift, known flags are the numbers of their bits.
    public var description: String {
        var text = ""
        for bit: UInt8 in 0..<8 where rawValue >> bit & 1 == 1 {
            if text != "" { text += ", " }
            text += Flag(rawValue: bit)?.label ?? "bit \(bit) (unknown)"
        }
        return text == "" ? "none" : text
    }
}
