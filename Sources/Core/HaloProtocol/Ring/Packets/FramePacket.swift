/// The content of one 16-byte frame: a request to a ring, or one frame of its reply.
public protocol FramePacket: Hashable, Sendable {
    /// The name of the type, as programs write it.
    static var name: PacketName { get }

    /// The first byte of the frame.
    static var opcode: UInt8 { get }

    /// The layout of the payload: each field once, in its place. See ``FieldIO``.
    @inlinable
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}

extension FramePacket {
    @inlinable @inline(__always)
    public init(decoding frame: Frame) throws(PacketError) {
        var sink = IgnoringSink()
        try self.init(decoding: frame, sink: &sink)
    }

    @inlinable @inline(__always)
    package init<Sink: FieldSink>(decoding frame: Frame, sink: inout Sink) throws(PacketError) {
        guard frame.opcode == Self.opcode else {
            try PacketError.throwWrongOpcode(Self.name, expected: Self.opcode, found: frame.opcode)
        }
        var reader = FrameReader(frame, sink: sink)
        defer { sink = reader.sink }
        do throws(PacketError) {
            try self.init(&reader, nil)
            guard reader.remaining == 0 else {
                try PacketError.throwTrailingBytes(at: reader.offset, count: reader.remaining)
            }
        } catch {
            try PacketError.throwNamed(Self.name, error)
        }
    }

    /// The packet as sixteen bytes with their checksum, ready to write.
    @inlinable @inline(__always)
    public var frame: Frame {
        var writer = FrameWriter(opcode: Self.opcode)
        do throws(PacketError) {
            _ = try Self(&writer, self)
        } catch {
            assertionFailure("a writer does not throw")
        }
        return writer.frame
    }
}
