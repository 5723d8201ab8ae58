/// The mirror image of ``FieldReader``: it writes a packet's fields in order.
///
/// Names are not written. They let a reader compare the decoder with the encoder below it, which
/// names the same fields in the same order.
public protocol FieldWriter {
    /// Appends the low `width` bytes (1 to 8) of a number, little endian.
    mutating func put(_ value: UInt64, width: Int)
}

extension FieldWriter {
    /// Writes one byte.
    @inlinable @inline(__always)
    public mutating func uint8(_ name: FieldName, _ value: UInt8) {
        put(UInt64(value), width: 1)
    }

    /// Writes a signed byte.
    @inlinable @inline(__always)
    public mutating func int8(_ name: FieldName, _ value: Int8) {
        put(UInt64(UInt8(bitPattern: value)), width: 1)
    }

    /// Writes two bytes, little endian.
    @inlinable @inline(__always)
    public mutating func uint16(_ name: FieldName, _ value: UInt16) {
        put(UInt64(value), width: 2)
    }

    /// Writes two bytes, big endian.
    @inlinable @inline(__always)
    public mutating func uint16BigEndian(_ name: FieldName, _ value: UInt16) {
        put(UInt64(value.byteSwapped), width: 2)
    }

    /// Writes three bytes, little endian.
    @inlinable @inline(__always)
    public mutating func uint24(_ name: FieldName, _ value: UInt24) {
        put(UInt64(value.value), width: 3)
    }

    /// Writes three bytes, big endian.
    @inlinable @inline(__always)
    public mutating func uint24BigEndian(_ name: FieldName, _ value: UInt24) {
        put(UInt64(value.value.byteSwapped &>> 8), width: 3)
    }

    /// Writes four bytes, little endian.
    @inlinable @inline(__always)
    public mutating func uint32(_ name: FieldName, _ value: UInt32) {
        put(UInt64(value), width: 4)
    }

    /// Writes four bytes, big endian.
    @inlinable @inline(__always)
    public mutating func uint32BigEndian(_ name: FieldName, _ value: UInt32) {
        put(UInt64(value.byteSwapped), width: 4)
    }

    /// Writes a byte that decides the packet's structure.
    @inlinable @inline(__always)
    public mutating func structure(_ name: FieldName, _ value: UInt8) {
        put(UInt64(value), width: 1)
    }

    /// Writes a count or a length of the fields that follow.
    @inlinable @inline(__always)
    public mutating func extent(_ name: FieldName, _ value: UInt8) {
        put(UInt64(value), width: 1)
    }

    /// Writes a byte that always has the same value.
    @inlinable @inline(__always)
    public mutating func marker(_ name: FieldName, _ value: UInt8) {
        put(UInt64(value), width: 1)
    }

    /// Writes a known code.
    @inlinable @inline(__always)
    public mutating func code<Code: FieldCode>(_ name: FieldName, _ code: Code) {
        put(UInt64(code.rawValue), width: 1)
    }

    /// Writes a known code that decides which fields follow.
    @inlinable @inline(__always)
    public mutating func selector<Code: FieldCode>(_ name: FieldName, _ code: Code) {
        put(UInt64(code.rawValue), width: 1)
    }

    /// Writes a code of a device, known or not.
    @inlinable @inline(__always)
    public mutating func reported<Code: FieldCode>(_ name: FieldName, _ code: Reported<Code>) {
        put(UInt64(code.rawValue), width: 1)
    }

    /// Writes `count` bytes, at most sixteen: those given, then zeros.
    @inlinable @inline(__always)
    public mutating func inlineBytes(_ name: FieldName, _ bytes: InlineBytes, count: Int) {
        if count > 0 { put(bytes.low, width: min(count, 8)) }
        if count > 8 { put(bytes.high, width: min(count &- 8, 8)) }
    }

    /// Writes `count` zeros.
    @inlinable @inline(__always)
    public mutating func zeros(_ count: Int) {
        for _ in 0..<max(count, 0) { put(0, width: 1) }
    }
}

/// The writer of packets of any length.
@frozen
public struct ByteWriter: FieldWriter, Sendable {
    /// The bytes written so far.
    public internal(set) var bytes: [UInt8]

    /// Creates an empty writer with reserved capacity.
    public init(capacity: Int = 32) {
        bytes = []
        bytes.reserveCapacity(min(max(capacity, 0), Int(UInt16.max)))
    }

    /// Appends the low `width` bytes (1 to 8) of a number, little endian.
    public mutating func put(_ value: UInt64, width: Int) {
        var rest = value
        for _ in 0..<min(max(width, 0), 8) {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest &>>= 8
        }
    }

    /// Appends bytes.
    public mutating func byteArray(_ name: FieldName, _ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Appends bytes of unknown meaning.
    public mutating func unclaimed(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }
}
