/// What a big-data frame carries under one record id, in one direction.
public protocol BigDataRecord: BytePacket {
    /// The command it belongs to.
    associatedtype Owner: BigDataCommand
    /// The record id in the frame's header.
    static var id: UInt8 { get }
}

extension BigDataRecord {
    /// What a frame can carry.
    public static var maximumLength: Int { BigDataFrame.maximumPayloadLength }

    /// Takes the record from a frame of its id.
    public init(decoding frame: BigDataFrame) throws(PacketError) {
        var sink = IgnoringSink()
        try self.init(decoding: frame, sink: &sink)
    }

    /// Takes the record from a frame of its id, watched by a sink; offsets count in the payload.
    public init<Sink: FieldSink>(
        decoding frame: BigDataFrame, sink: inout Sink
    ) throws(PacketError) {
        guard frame.id == Self.id else {
            try PacketError.throwWrongOpcode(Self.name, expected: Self.id, found: frame.id)
        }
        let payload = ContiguousArray(frame.payload)
        try self.init(decoding: payload.span, sink: &sink)
    }

    /// The record in its frame, with length and CRC, ready to write.
    public var frame: BigDataFrame {
        BigDataFrame(id: Self.id, unchecked: bytes)
    }
}
