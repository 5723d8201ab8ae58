/// A packet that is one frame of a reply of many frames.
public protocol PartPacket: FramePacket {
    /// The command of the packet.
    associatedtype Owner: Command
}

extension PartPacket {
    /// The name of the packet: `Command.Part`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Part") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }
}
