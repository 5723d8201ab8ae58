/// A big-data record that is one stored day after the other, all of the same length.
public struct RecordDays<Owner: RecordDaysCommand>: BigDataReply {
    /// The days in the ring's order.
    public let days: [Owner.Day]

    /// The given days, as many as a frame can carry.
    public init(days: [Owner.Day]) throws(ValueError) {
        self.days = try RecordLength.checked(days, "days", length: Owner.Day.length)
    }

    @inlinable
    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        var days: [Owner.Day] = []
        days.reserveCapacity(reader.remaining / max(Owner.Day.length, 1))
        while reader.remaining > 0 {
            reader.enter("days", days.count)
            days.append(try Owner.Day(from: &reader))
            reader.leave()
        }
        self.days = days
    }

    public func encode(into writer: inout ByteWriter) {
        for day in days { day.encode(into: &writer) }
    }
}
