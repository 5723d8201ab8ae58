/// What a big-data frame carries under one record id, in one direction.
public protocol BigDataRecord: BytePacket {
    /// The command it belongs to.
    associatedtype Owner: BigDataCommand
    /// The record id in the frame's header.
    static var id: UInt8 { get }
}

extension BigDataRecord {
    /// What a frame can carry.
    @inlinable public static var maximumLength: Int { BigDataFrame.maximumPayloadLength }

    /// Takes the record from a frame of its id.
    @inlinable
    public init(decoding frame: BigDataFrame) throws(PacketError) {
        var sink = IgnoringSink()
        try self.init(decoding: frame, sink: &sink)
    }

    /// Takes the record from a frame of its id, watched by a sink; offsets count in the payload.
    @inlinable
    public init<Sink: FieldSink>(
        decoding frame: BigDataFrame, sink: inout Sink
    ) throws(PacketError) {
        guard frame.id == Self.id else {
            try PacketError.throwWrongOpcode(Self.name, expected: Self.id, found: frame.id)
        }
        self = try frame.payload.withSpan { payload throws(PacketError) in
            try Self(decoding: payload, sink: &sink)
        }
    }

    /// The record in its frame, with length and CRC, ready to write.
    public var frame: BigDataFrame {
        BigDataFrame(id: Self.id, unchecked: bytes)
    }
}
