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
        switch width {
        case 1: return UInt64(unsafe bytes.bytes.unsafeLoad(fromByteOffset: start, as: UInt8.self))
        case 2: return UInt64(load(UInt16.self, at: start).littleEndian)
        case 4: return UInt64(load(UInt32.self, at: start).littleEndian)
        case 8: return load(UInt64.self, at: start).littleEndian
        default:
            var value: UInt64 = 0
            for index in 0..<width {
                let byte = unsafe bytes.bytes.unsafeLoad(
                    fromByteOffset: start &+ index, as: UInt8.self)
                value |= UInt64(byte) &<< UInt64(truncatingIfNeeded: index &* 8)
            }
            return value
        }
    }

    @inlinable @inline(__always)
    func load<Value: BitwiseCopyable>(_ type: Value.Type, at start: Int) -> Value {
        unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: type)
    }

    /// The next `count` bytes as they are.
    @inlinable
    public mutating func byteArray(
        _ name: FieldName, count: Int, role: FieldRole = .value, _ unit: FieldUnit = .none
    ) throws(PacketError) -> [UInt8] {
        guard count >= 0, remaining >= count else {
            try PacketError.throwTruncated(name, at: offset, needs: count, remaining: remaining)
        }
        let start = position
        position &+= count
        let value = unsafe bytes.extracting(start..<position).withUnsafeBufferPointer {
            unsafe Array($0)
        }
        guard Sink.isWatching else { return value }
        return sink.bytes(name, at: start, role: role, unit: unit, value: value)
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
