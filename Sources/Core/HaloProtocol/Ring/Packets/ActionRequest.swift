/// A request of one byte: an action.
@frozen
public struct ActionRequest<Owner: ActionCommand>: RequestPacket {
    public var action: Owner.Action
    /// The bytes after the action; apps differ.
    @usableFromInline package var unclaimed = InlineBytes()

    @inlinable @inline(__always)
    public init(_ action: Owner.Action) {
        self.action = action
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        action = try io.code("action", packet?.action, .open)
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}
