/// Reads a packet's fields in order, each under its name.
///
/// ``FrameReader`` reads the payload of a 16-byte frame, ``ByteReader`` bytes of any number. A
/// field that cannot be read throws a ``PacketError`` with its name.
@usableFromInline package protocol FieldReader<Sink>: FieldIO, ~Escapable {
    associatedtype Sink: FieldSink
    /// The sink that each field is passed to.
    var sink: Sink { get set }
    /// Consumes the next `width` bytes (1 to 8, and no more than remain), little endian.
    mutating func next(_ width: Int) -> UInt64
}

extension FieldReader where Self: ~Escapable {
    @inlinable @inline(__always)
    package static var isWatching: Bool { Sink.isWatching }

    @inlinable @inline(__always)
    package mutating func integer(
        _ name: FieldName, _ value: UInt64?, width: Int, isBigEndian: Bool, role: FieldRole,
        secrecy: FieldSecrecy, unit: FieldUnit
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
            role: role, secrecy: secrecy, unit: unit, value: value)
    }

    @inlinable @inline(__always)
    package mutating func inlineBytes(
        _ name: FieldName, _ value: InlineBytes?, count: Int, role: FieldRole,
        secrecy: FieldSecrecy, unit: FieldUnit
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
            prefix: sink.bytes(
                name, at: start, role: role, secrecy: secrecy, unit: unit, value: Array(bytes)))
    }

    @inlinable @inline(__always)
    package mutating func means(_ meaning: () -> String) {
        if Sink.isWatching { sink.means(meaning) }
    }

    @inlinable @inline(__always)
    package mutating func enter(_ name: FieldName, _ index: Int) {
        if Sink.isWatching { sink.enter(name, index) }
    }

    @inlinable @inline(__always)
    package mutating func leave() {
        if Sink.isWatching { sink.leave() }
    }
}
