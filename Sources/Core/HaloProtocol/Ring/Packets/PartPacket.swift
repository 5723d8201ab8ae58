/// A packet that is one frame of a reply of many frames.
public protocol PartPacket: FramePacket {
    /// The command of the packet.
    associatedtype Owner: Command
    /// `true` if the frame is the first one of a reply, perhaps the only one.
    var isFirst: Bool { get }
}

extension PartPacket {
    /// The name of the packet: `Command.Part`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Part") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }
}
