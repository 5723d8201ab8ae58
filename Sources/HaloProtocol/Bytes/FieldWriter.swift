/// Writes a packet's fields in order, the mirror image of ``FieldReader``.
///
/// The names are for the eye: decode and encode stand one above the other and name the same
/// fields in the same order.
public protocol FieldWriter {
    /// Appends the low `width` bytes (1 to 8) of a number, the lowest first.
    mutating func put(_ value: UInt64, width: Int)
}

extension FieldWriter {
    /// One byte.
    @inlinable @inline(__always)
    public mutating func uint8(_ name: FieldName, _ value: UInt8) {
        put(UInt64(value), width: 1)
    }

    /// One byte, from a signed number.
    @inlinable @inline(__always)
    public mutating func int8(_ name: FieldName, _ value: Int8) {
        put(UInt64(UInt8(bitPattern: value)), width: 1)
    }

    /// Two bytes, the lower first.
    @inlinable @inline(__always)
    public mutating func uint16(_ name: FieldName, _ value: UInt16) {
        put(UInt64(value), width: 2)
    }

    /// Two bytes, the higher first.
    @inlinable @inline(__always)
    public mutating func uint16BigEndian(_ name: FieldName, _ value: UInt16) {
        put(UInt64(value.byteSwapped), width: 2)
    }

    /// Three bytes, the lowest first.
    @inlinable @inline(__always)
    public mutating func uint24(_ name: FieldName, _ value: UInt24) {
        put(UInt64(value.value), width: 3)
    }

    /// Three bytes, the highest first.
    @inlinable @inline(__always)
    public mutating func uint24BigEndian(_ name: FieldName, _ value: UInt24) {
        put(UInt64(value.value.byteSwapped &>> 8), width: 3)
    }

    /// Four bytes, the lowest first.
    @inlinable @inline(__always)
    public mutating func uint32(_ name: FieldName, _ value: UInt32) {
        put(UInt64(value), width: 4)
    }

    /// Four bytes, the highest first.
    @inlinable @inline(__always)
    public mutating func uint32BigEndian(_ name: FieldName, _ value: UInt32) {
        put(UInt64(value.byteSwapped), width: 4)
    }

    /// A byte that shapes the packet.
    @inlinable @inline(__always)
    public mutating func structure(_ name: FieldName, _ value: UInt8) {
        put(UInt64(value), width: 1)
    }

    /// A byte from a device that decides which fields follow, and that nobody has described.
    @inlinable @inline(__always)
    public mutating func reportedSelector(_ name: FieldName, _ action: UndescribedAction) {
        put(UInt64(action.rawValue), width: 1)
    }

    /// A byte that says how much follows.
    @inlinable @inline(__always)
    public mutating func extent(_ name: FieldName, _ value: UInt8) {
        put(UInt64(value), width: 1)
    }

    /// A byte that is always this one.
    @inlinable @inline(__always)
    public mutating func marker(_ name: FieldName, _ value: UInt8) {
        put(UInt64(value), width: 1)
    }

    /// A known code.
    @inlinable @inline(__always)
    public mutating func code<Code: FieldCode>(_ name: FieldName, _ code: Code) {
        put(UInt64(code.rawValue), width: 1)
    }

    /// A known code that decides which fields follow.
    @inlinable @inline(__always)
    public mutating func selector<Code: FieldCode>(_ name: FieldName, _ code: Code) {
        put(UInt64(code.rawValue), width: 1)
    }

    /// A code as a device reports it.
    @inlinable @inline(__always)
    public mutating func reported<Code: FieldCode>(_ name: FieldName, _ code: Reported<Code>) {
        put(UInt64(code.rawValue), width: 1)
    }

    /// `count` (at most sixteen) bytes: those given, then zeros.
    @inlinable @inline(__always)
    public mutating func inlineBytes(_ name: FieldName, _ bytes: InlineBytes, count: Int) {
        if count > 0 { put(bytes.low, width: min(count, 8)) }
        if count > 8 { put(bytes.high, width: min(count &- 8, 8)) }
    }

    /// `count` zeros.
    @inlinable @inline(__always)
    public mutating func zeros(_ count: Int) {
        for _ in 0..<max(count, 0) { put(0, width: 1) }
    }
}
