/// Reads the fields of a packet of any length: a big-data record, a characteristic's value.
@frozen
public struct ByteReader<Sink: FieldSink>: FieldReader, ~Escapable {
    @usableFromInline let bytes: Span<UInt8>

    /// Who watches.
    public var sink: Sink

    @usableFromInline var position: Int

    /// Where in the packet the next field begins.
    @inlinable @inline(__always)
    public var offset: Int { position }

    /// How many bytes are left to read.
    @inlinable @inline(__always)
    public var remaining: Int { bytes.count &- position }

    /// Starts at the first byte.
    @_lifetime(copy bytes)
    @inlinable @inline(__always)
    public init(_ bytes: Span<UInt8>, sink: Sink) {
        self.bytes = bytes
        self.sink = sink
        position = 0
    }

    /// The next `width` bytes (1 to 8, and no more than remain), the first one lowest.
    ///
    /// Asked for another number of bytes, it takes none and answers 0.
    @inlinable @inline(__always)
    public mutating func take(_ width: Int) -> UInt64 {
        guard width > 0, width <= 8, width <= remaining else { return 0 }
        let start = position
        position &+= width
        if width == 8 { return load(UInt64.self, at: start) }
        if width >= 4 { return overlapping(UInt32.self, at: start, width: width) }
        if width >= 2 { return overlapping(UInt16.self, at: start, width: width) }
        return load(UInt8.self, at: start)
    }

    /// As many bytes as one to two words have: the first word and the last one.
    @inlinable @inline(__always)
    func overlapping<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, at start: Int, width: Int
    ) -> UInt64 {
        let rest = width &- Word.bitWidth &>> 3
        let last = load(type, at: start &+ rest)
        return load(type, at: start) | last &<< UInt64(truncatingIfNeeded: rest &* 8)
    }

    /// A word of bytes that are there: nobody asks for others.
    @inlinable @inline(__always)
    func load<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, at start: Int
    ) -> UInt64 {
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: start, as: type)
        return UInt64(truncatingIfNeeded: word.littleEndian)
    }

    /// The next `count` bytes, made into what they say.
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

    /// The next `count` bytes as they are.
    @inlinable
    public mutating func byteArray(
        _ name: FieldName, count: Int, role: FieldRole = .value, _ unit: FieldUnit = .none
    ) throws(PacketError) -> [UInt8] {
        try run(name, count: count, role: role, unit) { Array($0) }
    }

    /// All bytes that are left, when nobody knows what they mean.
    @inlinable
    public mutating func unclaimed(_ name: FieldName = "unclaimed") throws(PacketError) -> [UInt8] {
        if remaining == 0 { return [] }
        return try byteArray(name, count: remaining, role: .unclaimed)
    }

    /// Nothing may be left.
    @inlinable @inline(__always)
    public func finish() throws(PacketError) {
        guard remaining == 0 else {
            try PacketError.throwTrailingBytes(at: offset, count: remaining)
        }
    }
}
