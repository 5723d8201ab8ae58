/// A cursor over a packet's bytes that reads the fields in order, each under its name.
///
/// ``FrameReader`` reads the payload of a 16-byte frame, ``ByteReader`` bytes of any number. A
/// field that cannot be read throws a ``PacketError`` with its name.
public protocol FieldReader<Sink>: ~Escapable {
    /// The type of the sink.
    associatedtype Sink: FieldSink
    /// The sink that each field is passed to.
    var sink: Sink { get set }
    /// The offset of the next field from the start of the packet.
    var offset: Int { get }
    /// The number of bytes that are not read yet.
    var remaining: Int { get }
    /// Consumes the next `width` bytes (1 to 8, and no more than remain), little endian.
    mutating func next(_ width: Int) -> UInt64
}

extension FieldReader where Self: ~Escapable {
    /// Reads an unsigned integer of `width` bytes (1 to 8), little endian by default.
    @inlinable @inline(__always)
    public mutating func integer(
        _ name: FieldName, width: Int, isBigEndian: Bool = false,
        role: FieldRole = .value, unit: FieldUnit = .none
    ) throws(PacketError) -> UInt64 {
        guard width > 0, width <= 8, remaining >= width else {
            try PacketError.throwTruncated(name, at: offset, needs: width, remaining: remaining)
        }
        let start = offset
        var value = next(width)
        if isBigEndian {
            value = value.byteSwapped &>> UInt64(truncatingIfNeeded: 64 &- width &* 8)
        }
        return sink.integer(
            name, at: start, width: width, isBigEndian: isBigEndian,
            role: role, unit: unit, value: value)
    }

    /// Reads one byte.
    @inlinable @inline(__always)
    public mutating func uint8(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt8 {
        UInt8(truncatingIfNeeded: try integer(name, width: 1, unit: unit))
    }

    /// Reads a signed byte.
    @inlinable @inline(__always)
    public mutating func int8(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> Int8 {
        let value = Int8(bitPattern: try uint8(name, unit))
        means { "\(value)\(unit.suffix)" }
        return value
    }

    /// Reads two bytes, little endian.
    @inlinable @inline(__always)
    public mutating func uint16(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(name, width: 2, unit: unit))
    }

    /// Reads two bytes, big endian.
    @inlinable @inline(__always)
    public mutating func uint16BigEndian(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(name, width: 2, isBigEndian: true, unit: unit))
    }

    /// Reads three bytes, little endian.
    @inlinable @inline(__always)
    public mutating func uint24(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt24 {
        UInt24(truncating: try integer(name, width: 3, unit: unit))
    }

    /// Reads three bytes, big endian.
    @inlinable @inline(__always)
    public mutating func uint24BigEndian(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt24 {
        UInt24(truncating: try integer(name, width: 3, isBigEndian: true, unit: unit))
    }

    /// Reads four bytes, little endian.
    @inlinable @inline(__always)
    public mutating func uint32(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(name, width: 4, unit: unit))
    }

    /// Reads four bytes, big endian.
    @inlinable @inline(__always)
    public mutating func uint32BigEndian(
        _ name: FieldName, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(name, width: 4, isBigEndian: true, unit: unit))
    }

    /// Reads a byte that decides the packet's structure, such as an index or a kind, and must be
    /// in `allowed`.
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

    /// Reads a count or a length of the fields that follow.
    @inlinable @inline(__always)
    public mutating func extent(
        _ name: FieldName, _ allowed: ClosedRange<UInt8> = 0...255
    ) throws(PacketError) -> UInt8 {
        try structure(name, allowed, role: .framing)
    }

    /// Reads a byte that always has the same value, and throws for any other.
    @inlinable @inline(__always)
    public mutating func marker(_ name: FieldName, _ byte: UInt8) throws(PacketError) {
        let start = offset
        let found = UInt8(truncatingIfNeeded: try integer(name, width: 1, role: .framing))
        guard found == byte else { throw .wrongMarker(name, at: start, byte, found: found) }
    }

    /// Reads a number that must be in `allowed`.
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

    /// Reads a code that is sent to a device, and throws for an unknown one.
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

    /// Reads a code that decides which fields follow, and throws for an unknown one.
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

    /// Reads a code from a device that decides which fields follow; an unknown one is kept.
    @inlinable @inline(__always)
    public mutating func reportedSelector<Code: FieldCode>(
        _ name: FieldName, _ type: Code.Type = Code.self
    ) throws(PacketError) -> Reported<Code> {
        let code = Reported<Code>(rawValue: try structure(name))
        means { code.description }
        return code
    }

    /// Reads a code from a device; an unknown one is kept.
    @inlinable @inline(__always)
    public mutating func reported<Code: FieldCode>(
        _ name: FieldName, _ type: Code.Type = Code.self
    ) throws(PacketError) -> Reported<Code> {
        let code = Reported<Code>(rawValue: try uint8(name))
        means { code.description }
        return code
    }

    /// Reads `count` bytes, at most sixteen.
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
        let low = first > 0 ? next(first) : 0
        let high = length > 8 ? next(length &- 8) : 0
        let bytes = InlineBytes(low: low, high: high, count: length)
        guard Sink.isWatching else { return bytes }
        return InlineBytes(
            prefix: sink.bytes(name, at: start, role: role, unit: unit, value: Array(bytes)))
    }

    /// Reads `count` bytes that are zero in all captures, and throws for any other value.
    @inlinable @inline(__always)
    public mutating func zeros(_ count: Int) throws(PacketError) {
        for _ in 0..<max(count, 0) {
            let start = offset
            let byte = UInt8(
                truncatingIfNeeded: try integer("zero", width: 1, role: .unclaimed))
            guard byte == 0 else { throw .notZero(at: start, found: byte) }
        }
    }

    /// Passes the meaning of the last field to a recording sink; free of cost without one.
    @inlinable @inline(__always)
    public mutating func means(_ meaning: () -> String) {
        if Sink.isWatching { sink.means(meaning) }
    }

    /// Begins element `index` of `name`: the fields up to ``leave()`` belong to it.
    @inlinable @inline(__always)
    public mutating func enter(_ name: FieldName, _ index: Int) {
        if Sink.isWatching { sink.enter(name, index) }
    }

    /// Ends the element that ``enter(_:_:)`` began.
    @inlinable @inline(__always)
    public mutating func leave() {
        if Sink.isWatching { sink.leave() }
    }
}

/// The reader of packets of any length: big-data records, values of characteristics.
@frozen
public struct ByteReader<Sink: FieldSink>: FieldReader, ~Escapable {
    @usableFromInline let bytes: Span<UInt8>

    /// The sink that each field is passed to.
    public var sink: Sink

    @usableFromInline var position: Int

    /// The offset of the next field from the start of the packet.
    @inlinable @inline(__always)
    public var offset: Int { position }

    /// The number of bytes that are not read yet.
    @inlinable @inline(__always)
    public var remaining: Int { bytes.count &- position }

    /// Creates a reader that begins at the first byte.
    @_lifetime(copy bytes)
    @inlinable @inline(__always)
    public init(_ bytes: Span<UInt8>, sink: Sink) {
        self.bytes = bytes
        self.sink = sink
        position = 0
    }

    /// Consumes the next `width` bytes (1 to 8, and no more than remain), little endian.
    ///
    /// For any other width it consumes no byte and returns 0.
    @inlinable @inline(__always)
    public mutating func next(_ width: Int) -> UInt64 {
        guard width > 0, width <= 8, width <= remaining else { return 0 }
        let start = position
        position &+= width
        if width == 8 { return load(UInt64.self, at: start) }
        if width >= 4 { return overlapping(UInt32.self, at: start, width: width) }
        if width >= 2 { return overlapping(UInt16.self, at: start, width: width) }
        return load(UInt8.self, at: start)
    }

    /// Loads a width between one and two words as two words that overlap.
    @inlinable @inline(__always)
    func overlapping<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, at start: Int, width: Int
    ) -> UInt64 {
        let rest = width &- Word.bitWidth &>> 3
        let last = load(type, at: start &+ rest)
        return load(type, at: start) | last &<< UInt64(truncatingIfNeeded: rest &* 8)
    }

    /// Loads a word; the caller has checked that it lies within the bytes.
    @inlinable @inline(__always)
    func load<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, at start: Int
    ) -> UInt64 {
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: start, as: type)
        return UInt64(truncatingIfNeeded: word.littleEndian)
    }

    /// Reads `count` bytes and converts them.
    @inlinable @inline(__always)
    mutating func run<Value>(
        _ name: FieldName, count: Int, role: FieldRole = .value, _ unit: FieldUnit = .none,
        as value: (Span<UInt8>) -> Value
    ) throws(PacketError) -> Value {
        guard count >= 0, remaining >= count else {
            try PacketError.throwTruncated(name, at: offset, needs: count, remaining: remaining)
        }
        let start = position
        position &+= count
        let found = bytes.extracting(start..<position)
        guard Sink.isWatching else { return value(found) }
        let seen = ContiguousArray(
            sink.bytes(name, at: start, role: role, unit: unit, value: Array(found)))
        return value(seen.span)
    }

    /// Reads `count` bytes.
    @inlinable
    public mutating func byteArray(
        _ name: FieldName, count: Int, role: FieldRole = .value, _ unit: FieldUnit = .none
    ) throws(PacketError) -> [UInt8] {
        try run(name, count: count, role: role, unit) { Array($0) }
    }

    /// Reads all remaining bytes, whose meaning is unknown.
    @inlinable
    public mutating func unclaimed(_ name: FieldName = "unclaimed") throws(PacketError) -> [UInt8] {
        if remaining == 0 { return [] }
        return try byteArray(name, count: remaining, role: .unclaimed)
    }

    /// Throws if bytes remain.
    @inlinable @inline(__always)
    public func finish() throws(PacketError) {
        guard remaining == 0 else {
            try PacketError.throwTrailingBytes(at: offset, count: remaining)
        }
    }
}
