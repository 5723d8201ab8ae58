/// The reader of packets of any length: big-data records, values of characteristics.
@frozen
@usableFromInline package struct ByteReader<Sink: FieldSink>: FieldReader, ByteIO, ~Escapable {
    @usableFromInline let bytes: Span<UInt8>

    @usableFromInline package var sink: Sink

    @usableFromInline var position: Int

    @inlinable @inline(__always)
    package var offset: Int { position }

    @inlinable @inline(__always)
    package var remaining: Int { bytes.count &- position }

    @_lifetime(copy bytes)
    @inlinable @inline(__always)
    package init(_ bytes: Span<UInt8>, sink: Sink) {
        self.bytes = bytes
        self.sink = sink
        position = 0
    }

    /// Consumes the next `width` bytes (1 to 8, and no more than remain), little endian.
    ///
    /// For any other width it consumes no byte and returns 0.
    @inlinable @inline(__always)
    package mutating func next(_ width: Int) -> UInt64 {
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

    @inlinable @inline(__always)
    package func upcoming(_ value: UInt8?) -> UInt8 { remaining > 0 ? bytes[position] : 0 }

    @inlinable
    package mutating func byteArray(
        _ name: FieldName, _ value: [UInt8]?, count: Int, role: FieldRole, secrecy: FieldSecrecy,
        unit: FieldUnit
    ) throws(PacketError) -> [UInt8] {
        guard count >= 0, remaining >= count else {
            try PacketError.throwTruncated(name, at: offset, needs: count, remaining: remaining)
        }
        let start = position
        position &+= count
        let found = Array(bytes.extracting(start..<position))
        guard Sink.isWatching else { return found }
        return sink.bytes(
            name, at: start, role: role, secrecy: secrecy, unit: unit, value: found)
    }

    /// Throws if bytes remain.
    @inlinable @inline(__always)
    package func finish() throws(PacketError) {
        guard remaining == 0 else {
            try PacketError.throwTrailingBytes(at: offset, count: remaining)
        }
    }
}
