/// A packet that is one frame of a ring's answer.
public protocol PartPacket: FramePacket {
    /// The command it belongs to.
    associatedtype Owner: Command
}

extension PartPacket {
    /// `Command.Part`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Part") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }
}
