/// One day of ``RecordDays``.
public protocol RecordDay: Hashable, Sendable {
    /// How many bytes a day has; at least one.
    static var length: Int { get }
    /// Reads the day.
    init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError)
    /// Writes the same fields in the same order.
    func encode(into writer: inout ByteWriter)
}
