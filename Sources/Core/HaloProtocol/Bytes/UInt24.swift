/// An unsigned 24-bit integer: rings count steps and calories with it.
@frozen
public struct UInt24: Hashable, Sendable {
    /// The number, up to ``max``.
    public let value: UInt32

    /// The largest number, 16,777,215.
    @inlinable public static var max: UInt24 { UInt24(truncating: 0xFF_FFFF) }

    /// Creates an integer from the low 24 bits of a number.
    @inlinable @inline(__always)
    public init(truncating value: UInt64) {
        self.value = UInt32(truncatingIfNeeded: value) & 0xFF_FFFF
    }

    /// Creates an integer from a number, or ``max`` if the number is larger.
    @inlinable
    public init(clamping value: some BinaryInteger) {
        self.value = Swift.min(UInt32(clamping: value), 0xFF_FFFF)
    }
}

extension UInt24: ExpressibleByIntegerLiteral, Comparable, CustomStringConvertible {
    /// Creates an integer from a literal, or ``max`` if the literal is larger.
    @inlinable
    public init(integerLiteral value: UInt32) {
        self.init(clamping: value)
    }

    /// Compares the numbers.
    @inlinable
    public static func < (left: UInt24, right: UInt24) -> Bool { left.value < right.value }

    /// The number in decimal.
    public var description: String { value.description }
}
