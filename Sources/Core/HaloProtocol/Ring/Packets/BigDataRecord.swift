/// The payload of a big-data frame of one record id, in one direction.
public protocol BigDataRecord: BytePacket {
    /// The command of the record.
    associatedtype Owner: BigDataCommand
    /// The record id in the frame's header.
    static var id: UInt8 { get }
}

extension BigDataRecord {
    /// The longest payload of a frame.
    @inlinable public static var maximumLength: Int { BigDataFrame.maximumPayloadLength }

    @inlinable
    public init(decoding frame: BigDataFrame) throws(PacketError) {
        guard frame.id == Self.id else {
            try PacketError.throwWrongOpcode(Self.name, expected: Self.id, found: frame.id)
        }
        self = try frame.payload.withSpan { payload throws(PacketError) in
            try Self(decoding: payload)
        }
    }

    /// The record in its frame, with length and CRC, ready to write.
    public var frame: BigDataFrame {
        BigDataFrame(id: Self.id, unchecked: bytes)
    }
}

extension BigDataFrame {
    /// Returns `true` if the ring does not know a command whose replies have another id than its
    /// requests: such a ring replies with the id of the request.
    func isUnknown<Command: BigDataCommand>(_ command: Command.Type) -> Bool {
        id == Command.requestID && id != Command.replyID && isSingleZero
    }

    /// Returns `true` if the record has the id of a reply to a command.
    func answers<Command: BigDataCommand>(_ command: Command.Type) -> Bool {
        id == Command.replyID || isUnknown(command)
    }

    /// `true` if the payload is the single zero byte that means "no data" or "unknown id".
    @usableFromInline package var isSingleZero: Bool { payload.count == 1 && payload[0] == 0 }
}
