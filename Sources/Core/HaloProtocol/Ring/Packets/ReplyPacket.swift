/// A packet that is a ring's whole reply, or that a ring pushes.
public protocol ReplyPacket: FramePacket {
    /// The command of the packet.
    associatedtype Owner: Command
    /// Returns `true` if a frame of this command means "no data".
    static func isNoData(_ frame: Frame) -> Bool
}

extension ReplyPacket {
    /// The name of the packet: `Command.Reply`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Reply") }

    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }

    /// Returns `false`, as most commands have no such reply.
    @inlinable @inline(__always)
    public static func isNoData(_ frame: Frame) -> Bool { false }

    /// Decodes a frame as the reply to this command: a value, a refusal, or "no data".
    ///
    /// If the opcode has bit 7 set, a frame can be another command's refusal. Such a frame is no
    /// reply to this command.
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
