/// A packet of any length: a big-data record, a characteristic's value.
public protocol BytePacket: Hashable, Sendable {
    /// The name of the type as in Swift code.
    static var name: PacketName { get }

    /// The maximum length in bytes; a longer packet is refused before any field is read.
    static var maximumLength: Int { get }

    /// The layout: each field once, in its place; bytes that remain after them are an error. See
    /// ``FieldIO``.
    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}

extension BytePacket {
    /// The largest integer: no limit.
    @inlinable public static var maximumLength: Int { .max }

    @inlinable @inline(__always)
    public init(decoding bytes: Span<UInt8>) throws(PacketError) {
        var sink = IgnoringSink()
        try self.init(decoding: bytes, sink: &sink)
    }

    @inlinable @inline(__always)
    package init<Sink: FieldSink>(
        decoding bytes: Span<UInt8>, sink: inout Sink
    ) throws(PacketError) {
        var reader = ByteReader(bytes, sink: sink)
        defer { sink = reader.sink }
        do throws(PacketError) {
            guard bytes.count <= Self.maximumLength else {
                try PacketError.throwTrailingBytes(
                    at: Self.maximumLength, count: bytes.count &- Self.maximumLength)
            }
            try self.init(&reader, nil)
            try reader.finish()
        } catch {
            try PacketError.throwNamed(Self.name, error)
        }
    }

    @inlinable
    public init(decoding bytes: some Sequence<UInt8>) throws(PacketError) {
        self = try bytes.withBytes(Self.result).get()
    }

    @inlinable @inline(__always)
    static func result(decoding bytes: Span<UInt8>) -> Result<Self, PacketError> {
        do throws(PacketError) {
            return .success(try Self(decoding: bytes))
        } catch {
            return .failure(error)
        }
    }

    /// The encoded packet.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        do throws(PacketError) {
            _ = try Self(&writer, self)
        } catch {
            assertionFailure("a writer does not throw")
        }
        return writer.bytes
    }
}
