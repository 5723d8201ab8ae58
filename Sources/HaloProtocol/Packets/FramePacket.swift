/// What one 16-byte frame says: a request to a ring, or one frame of its answer.
public protocol FramePacket: Hashable, Sendable {
    /// The name of the type, as programs write it.
    static var name: PacketName { get }

    /// The first byte of the frame.
    static var opcode: UInt8 { get }

    /// Reads the payload.
    @inlinable
    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError)

    /// Writes the payload: the same fields in the same order.
    func encode(into writer: inout FrameWriter)
}

extension FramePacket {
    /// Takes the packet from a frame of its command.
    @inlinable @inline(__always)
    public init(decoding frame: Frame) throws(PacketError) {
        var sink = IgnoringSink()
        try self.init(decoding: frame, sink: &sink)
    }

    /// Takes the packet from a frame of its command, watched by a sink.
    @inlinable @inline(__always)
    public init<Sink: FieldSink>(decoding frame: Frame, sink: inout Sink) throws(PacketError) {
        guard frame.opcode == Self.opcode else {
            try PacketError.throwWrongOpcode(Self.name, expected: Self.opcode, found: frame.opcode)
        }
        var reader = FrameReader(frame, sink: sink)
        defer { sink = reader.sink }
        do throws(PacketError) {
            try self.init(from: &reader)
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
        encode(into: &writer)
        return writer.frame
    }
}
