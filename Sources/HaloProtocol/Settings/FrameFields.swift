/// A run of fields that several frames share: a setting, a period of the day.
public protocol FrameFields: Hashable, Sendable {
    /// Reads them where the reader stands.
    @inlinable
    init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError)
    /// Writes the same fields in the same order.
    func encode(into writer: inout FrameWriter)
}
