/// What a run of bytes of any length says: a big-data record, a characteristic's value.
public protocol BytePacket: Hashable, Sendable {
    /// The name of the type, as programs write it.
    static var name: PacketName { get }

    /// How many bytes there can be at most; more are refused before any is read.
    static var maximumLength: Int { get }

    /// Reads the fields; what is left afterwards is an error.
    init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError)

    /// Writes the same fields in the same order.
    func encode(into writer: inout ByteWriter)
}

extension BytePacket {
    /// As many as memory holds.
    @inlinable public static var maximumLength: Int { .max }

    /// Takes the packet from its bytes.
    @inlinable @inline(__always)
    public init(decoding bytes: Span<UInt8>) throws(PacketError) {
        var sink = IgnoringSink()
        try self.init(decoding: bytes, sink: &sink)
    }

    /// Takes the packet from its bytes, watched by a sink.
    @inlinable @inline(__always)
    public init<Sink: FieldSink>(
        decoding bytes: Span<UInt8>, sink: inout Sink
    ) throws(PacketError) {
        var reader = ByteReader(bytes, sink: sink)
        defer { sink = reader.sink }
        do throws(PacketError) {
            guard bytes.count <= Self.maximumLength else {
                try PacketError.throwTrailingBytes(
                    at: Self.maximumLength, count: bytes.count &- Self.maximumLength)
            }
            try self.init(from: &reader)
            try reader.finish()
        } catch {
            try PacketError.throwNamed(Self.name, error)
        }
    }

    /// Takes the packet from its bytes, in whatever holds them.
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

    /// The packet as bytes.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }
}
