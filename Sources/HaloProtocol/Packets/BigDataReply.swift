/// A record that a ring sends.
public protocol BigDataReply: BigDataRecord {
    /// Whether a frame of this id says that nothing is stored.
    static func isNoData(_ frame: BigDataFrame) -> Bool
}

extension BigDataReply {
    /// `Command.Reply`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Reply") }
    /// The id of the command's answers.
    @inlinable public static var id: UInt8 { Owner.replyID }

    /// A single zero byte; acknowledgements, where it is a status, say otherwise.
    public static func isNoData(_ frame: BigDataFrame) -> Bool { frame.isNothing }

    /// Reads a frame as the answer to this command: a value, or "nothing stored".
    ///
    /// A payload of one zero byte is both what a ring says when it has nothing, and what it says
    /// to a record id that it does not know: the two cannot be told apart, unless answers have
    /// another id than requests. Then too it is "nothing stored" that is said here.
    public static func answer(_ frame: BigDataFrame) throws(PacketError) -> Answer<Self> {
        if frame.id == id && isNoData(frame) || frame.isUnknown(Owner.self) { return .noData }
        return .value(try Self(decoding: frame))
    }
}

extension BigDataFrame {
    /// Whether a ring says by this that it does not know a command whose answers have another id
    /// than its requests: such a ring answers with the id of the request.
    func isUnknown<Command: BigDataCommand>(_ command: Command.Type) -> Bool {
        id == Command.requestID && id != Command.replyID && isNothing
    }

    /// Whether this is, by its id, what a ring says to a command.
    func answers<Command: BigDataCommand>(_ command: Command.Type) -> Bool {
        id == Command.replyID || isUnknown(command)
    }

    /// Whether the payload is the single zero byte that says "nothing", or "unknown id".
    public var isNothing: Bool { payload.count == 1 && payload[0] == 0 }
}
