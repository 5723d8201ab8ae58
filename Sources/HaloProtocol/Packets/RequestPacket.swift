/// A packet that is sent to a ring.
public protocol RequestPacket: FramePacket {
    /// The command it belongs to.
    associatedtype Owner: Command
    /// Whether it leaves the ring as it is: it may be sent again when no answer came.
    var onlyReads: Bool { get }
    /// Whether a frame of the command's opcode can be the answer to just this request, or a part
    /// of it; a reading does not answer a write, nor one day another.
    func isAnswered(by frame: Frame) -> Bool
}

extension RequestPacket {
    /// `Command.Request`.
    @inlinable public static var name: PacketName { PacketName(Owner.name, "Request") }
    /// The command's opcode.
    @inlinable @inline(__always)
    public static var opcode: UInt8 { Owner.opcode }

    /// What the command says of all its requests.
    @inlinable public var onlyReads: Bool { Owner.onlyReads }

    /// Most commands have answers of one kind.
    @inlinable public func isAnswered(by frame: Frame) -> Bool { true }
}
