/// An unsigned number of three bytes, as rings count steps and calories.
@frozen
public struct UInt24: Hashable, Sendable {
    /// The number, at most ``max``.
    public let value: UInt32

    /// The largest number that fits: 16,777,215.
    @inlinable public static var max: UInt24 { UInt24(truncating: 0xFF_FFFF) }

    /// The low 24 bits of a number.
    @inlinable @inline(__always)
    public init(truncating value: UInt64) {
        self.value = UInt32(truncatingIfNeeded: value) & 0xFF_FFFF
    }

    /// A number, or the largest that fits.
    @inlinable
    public init(clamping value: some BinaryInteger) {
        self.value = Swift.min(UInt32(clamping: value), 0xFF_FFFF)
    }
}

extension UInt24: ExpressibleByIntegerLiteral, Comparable, CustomStringConvertible {
    /// The number of a literal, or the largest that fits.
    @inlinable
    public init(integerLiteral value: UInt32) {
        self.init(clamping: value)
    }

    /// Orders by number.
    @inlinable
    public static func < (left: UInt24, right: UInt24) -> Bool { left.value < right.value }

    /// The number in decimal.
    public var description: String { value.description }
}
