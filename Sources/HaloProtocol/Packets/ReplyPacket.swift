/// A packet that is a ring's whole answer, or that it sends unasked.
public protocol ReplyPacket: FramePacket {
    /// The command it belongs to.
    associatedtype Owner: Command
    /// Whether a frame of this command says that nothing is stored.
    static func isNoData(_ frame: Frame) -> Bool
}

extension ReplyPacket {
    /// `Command.Reply`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Reply") }

    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }

    /// Most commands have no such answer.
    @inlinable @inline(__always)
    public static func isNoData(_ frame: Frame) -> Bool { false }

    /// Reads a frame as the answer to this command: a value, a refusal, or "no data".
    ///
    /// A frame of a command whose opcode has bit 7 set can be another command's refusal: then it
    /// is not an answer to this one.
    @inlinable @inline(__always)
    public static func answer(_ frame: Frame) throws(PacketError) -> Answer<Self> {
        if frame.opcode == opcode, opcode & Refusal.bit == 0 || frame.refusedOpcode == nil {
            if isNoData(frame) { return .noData }
            return .value(try Self(decoding: frame))
        }
        if frame.refusedOpcode == opcode { return .refused }
        let found = frame.opcode == opcode ? opcode & ~Refusal.bit : frame.opcode
        try PacketError.throwWrongOpcode(name, expected: opcode, found: found)
    }
}
