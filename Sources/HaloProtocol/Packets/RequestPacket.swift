/// A packet that is sent to a ring.
public protocol RequestPacket: FramePacket {
    /// The command it belongs to.
    associatedtype Owner: Command
}

extension RequestPacket {
    /// `Command.Request`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }
}
