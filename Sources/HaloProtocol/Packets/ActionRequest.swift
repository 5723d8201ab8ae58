/// A request that says with one byte what is to be done.
public struct ActionRequest<Owner: ActionCommand>: RequestPacket {
    /// What is to be done.
    public var action: Owner.Action
    /// What follows; apps differ.
    public let unclaimed: InlineBytes

    /// What is to be done.
    @inlinable @inline(__always)
    public init(_ action: Owner.Action) {
        self.action = action
        unclaimed = InlineBytes()
    }

    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        action = try reader.code("action")
        unclaimed = try reader.unclaimed()
    }

    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {
        writer.code("action", action)
        writer.unclaimed(unclaimed)
    }
}
