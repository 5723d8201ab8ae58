/// Reads a packet's fields in order, each under its name.
///
/// ``FrameReader`` reads the payload of a 16-byte frame, ``ByteReader`` bytes of any number. What
/// a reader cannot give it refuses with a ``PacketError`` that carries the field's name.
public protocol FieldReader<Sink>: ~Escapable {
    /// Who watches.
    associatedtype Sink: FieldSink
    /// Who watches.
    var sink: Sink { get set }
    /// Where in the packet the next field begins.
    var offset: Int { get }
    /// How many bytes are left to read.
    var remaining: Int { get }
    /// The next `width` bytes (1 to 8, and no more than remain), the first one lowest.
    mutating func take(_ width: Int) -> UInt64
}

extension FieldReader where Self: ~Escapable {
    /// An unsigned integer of `width` bytes (1 to 8), the lowest first unless said otherwise.
    @inlinable @inline(__always)
    public mutating func integer(
        _ name: FieldName, width: Int, isBigEndian: Bool = false,
        role: FieldRole = .value, unit: FieldUnit = .none
    ) throws(PacketError) -> UInt64 {
        guard width > 0, width <= 8, remaining >= width else {
            try PacketError.throwTruncated(name, at: offset, needs: width, remaining: remaining)
        }
        let start = offset
        var value = take(width)
        if isBigEndian {
            value = value.byteSwapped &>> UInt64(truncatingIfNeeded: 64 &- width &* 8)
        }
        return sink.integer(
            name, at: start, width: width, isBigEndian: isBigEndian,
            role: role, unit: unit, value: value)
    }

    /// One byte.
    @inlinable @inline(__always)
    public mutating func uint8(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt8 {
        UInt8(truncatingIfNeeded: try integer(name, width: 1, unit: unit))
    }

    /// One byte, as a signed number.
    @inlinable @inline(__always)
    public mutating func int8(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> Int8 {
        let value = Int8(bitPattern: try uint8(name, unit))
        means { "\(value)\(unit.suffix)" }
        return value
    }

    /// Two bytes, the lower first.
    @inlinable @inline(__always)
    public mutating func uint16(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(name, width: 2, unit: unit))
    }

    /// Two bytes, the higher first.
    @inlinable @inline(__always)
    public mutating func uint16BigEndian(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(name, width: 2, isBigEndian: true, unit: unit))
    }

    /// Three bytes, the lowest first.
    @inlinable @inline(__always)
    public mutating func uint24(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt24 {
        UInt24(truncating: try integer(name, width: 3, unit: unit))
    }

    /// Three bytes, the highest first.
    @inlinable @inline(__always)
    public mutating func uint24BigEndian(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt24 {
        UInt24(truncating: try integer(name, width: 3, isBigEndian: true, unit: unit))
    }

    /// Four bytes, the lowest first.
    @inlinable @inline(__always)
    public mutating func uint32(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(name, width: 4, unit: unit))
    }

    /// Four bytes, the highest first.
    @inlinable @inline(__always)
    public mutating func uint32BigEndian(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(name, width: 4, isBigEndian: true, unit: unit))
    }

    /// A byte that shapes the packet and must be one of `allowed`: an index, a kind.
    @inlinable @inline(__always)
    public mutating func structure(
        _ name: FieldName, _ allowed: ClosedRange<UInt8> = 0...255, role: FieldRole = .structure
    ) throws(PacketError) -> UInt8 {
        let start = offset
        let byte = UInt8(truncatingIfNeeded: try integer(name, width: 1, role: role))
        guard allowed.contains(byte) else {
            throw .outOfRange(name, at: start, allowed: allowed, found: byte)
        }
        return byte
    }

    /// A byte that says how much follows: what it says is seen in what follows.
    @inlinable @inline(__always)
    public mutating func extent(
        _ name: FieldName, _ allowed: ClosedRange<UInt8> = 0...255
    ) throws(PacketError) -> UInt8 {
        try structure(name, allowed, role: .framing)
    }

    /// A byte that must be just this one.
    @inlinable @inline(__always)
    public mutating func marker(_ name: FieldName, _ byte: UInt8) throws(PacketError) {
        let start = offset
        let found = UInt8(truncatingIfNeeded: try integer(name, width: 1, role: .framing))
        guard found == byte else { throw .wrongMarker(name, at: start, byte, found: found) }
    }

    /// A number within limits, given to the ring or from it.
    @inlinable @inline(__always)
    public mutating func uint8(
        _ name: FieldName, in allowed: ClosedRange<UInt8>, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt8 {
        let start = offset
        let byte = try uint8(name, unit)
        guard allowed.contains(byte) else {
            throw .outOfRange(name, at: start, allowed: allowed, found: byte)
        }
        return byte
    }

    /// A code sent to a device: one of the known ones, or an error.
    @inlinable @inline(__always)
    public mutating func code<Code: FieldCode>(
        _ name: FieldName, _ type: Code.Type = Code.self
    ) throws(PacketError) -> Code {
        let start = offset
        let byte = try uint8(name)
        guard let code = Code(rawValue: byte) else {
            throw .unknownCode(name, at: start, found: byte)
        }
        means { code.label.description }
        return code
    }

    /// A code that decides which fields follow; otherwise like ``code(_:_:)``.
    @inlinable @inline(__always)
    public mutating func selector<Code: FieldCode>(
        _ name: FieldName, _ type: Code.Type = Code.self
    ) throws(PacketError) -> Code {
        let start = offset
        let byte = try structure(name)
        guard let code = Code(rawValue: byte) else {
            throw .unknownCode(name, at: start, found: byte)
        }
        means { code.label.description }
        return code
    }

    /// A code reported by a device that decides which fields follow; an unknown one is kept.
    @inlinable @inline(__always)
    public mutating func reportedSelector<Code: FieldCode>(
        _ name: FieldName, _ type: Code.Type = Code.self
    ) throws(PacketError) -> Reported<Code> {
        let code = Reported<Code>(rawValue: try structure(name))
        means { code.description }
        return code
    }

    /// A code reported by a device: an unknown one is kept.
    @inlinable @inline(__always)
    public mutating func reported<Code: FieldCode>(
        _ name: FieldName, _ type: Code.Type = Code.self
    ) throws(PacketError) -> Reported<Code> {
        let code = Reported<Code>(rawValue: try uint8(name))
        means { code.description }
        return code
    }

    /// `count` (at most sixteen) bytes as they are.
    @inlinable @inline(__always)
    public mutating func inlineBytes(
        _ name: FieldName, count: Int, role: FieldRole = .value, _ unit: FieldUnit = .none
    ) throws(PacketError) -> InlineBytes {
        let length = max(min(count, InlineBytes.capacity), 0)
        guard remaining >= length else {
            try PacketError.throwTruncated(name, at: offset, needs: length, remaining: remaining)
        }
        let start = offset
        let first = min(length, 8)
        let low = first > 0 ? take(first) : 0
        let high = length > 8 ? take(length &- 8) : 0
        let bytes = InlineBytes(low: low, high: high, count: length)
        guard Sink.isWatching else { return bytes }
        return InlineBytes(
            prefix: sink.bytes(name, at: start, role: role, unit: unit, value: Array(bytes)))
    }

    /// `count` zeros, proven by captures to be nothing else.
    @inlinable @inline(__always)
    public mutating func zeros(_ count: Int) throws(PacketError) {
        for _ in 0..<max(count, 0) {
            let start = offset
            let byte = UInt8(
                truncatingIfNeeded: try integer("zero", width: 1, role: .unclaimed))
            guard byte == 0 else { throw .notZero(at: start, found: byte) }
        }
    }

    /// Notes in words what the field just read means; costs nothing where nobody watches.
    @inlinable @inline(__always)
    public mutating func means(_ meaning: () -> String) {
        if Sink.isWatching { sink.means(meaning) }
    }

    /// The fields that follow belong to element `index` of `name`, until ``leave()``.
    @inlinable @inline(__always)
    public mutating func enter(_ name: FieldName, _ index: Int) {
        if Sink.isWatching { sink.enter(name, index) }
    }

    /// The element that ``enter(_:_:)`` began has ended.
    @inlinable @inline(__always)
    public mutating func leave() {
        if Sink.isWatching { sink.leave() }
    }
}
