/// A packet that is sent to a ring.
public protocol RequestPacket: FramePacket {
    /// The command of the packet.
    associatedtype Owner: Command
    /// `true` if the request does not change the ring, so that it may be sent again after a
    /// timeout.
    var onlyReads: Bool { get }
    /// Returns `true` if a frame of the command's opcode can belong to the reply to exactly this
    /// request.
    ///
    /// A reading is no reply to a write, and a log of another day is no reply.
    func isAnswered(by frame: Frame) -> Bool
}

extension RequestPacket {
    /// The name of the packet: `Command.Request`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }

    /// The command's ``CommandFacts/onlyReads``.
    @inlinable public var onlyReads: Bool { Owner.onlyReads }

    /// Returns `true`, as most commands have replies of one kind.
    @inlinable public func isAnswered(by frame: Frame) -> Bool { true }
}
