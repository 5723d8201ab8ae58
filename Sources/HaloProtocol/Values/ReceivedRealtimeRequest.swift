/// A request for a ``RealtimeMeasurement`` as a ring takes it: more bytes than any app sends.
///
///     → 69 quantity action
///
/// Apps send one of ``RealtimeMeasurement/Action``; to a ring, whatever is neither a pause nor a
/// stop starts or continues. This is the device's end of the same packet.
public struct ReceivedRealtimeRequest: RequestPacket {
    public typealias Owner = RealtimeMeasurement

    /// What to measure.
    public var quantity: Reported<RealtimeMeasurement.Quantity>
    /// What to do.
    public var action: Reported<RealtimeMeasurement.Action>
    /// What follows; zeros so far.
    public let unclaimed: InlineBytes

    /// Whether the measurement runs afterwards.
    public var runs: Bool { action.known?.runs ?? true }

    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        quantity = try reader.reported("quantity")
        action = try reader.reported("action")
        unclaimed = try reader.unclaimed()
    }

    public func encode(into writer: inout FrameWriter) {
        writer.reported("quantity", quantity)
        writer.reported("action", action)
        writer.unclaimed(unclaimed)
    }
}
