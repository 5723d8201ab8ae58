/// A big-data record of stored days, all of the same length.
public struct RecordDays<Owner: RecordDaysCommand>: BigDataReply {
    /// The days in the ring's order.
    public let days: [Owner.Day]

    /// Creates a record of the given days; throws if they do not fit into a frame.
    public init(days: [Owner.Day]) throws(ValueError) {
        self.days = try RecordLength.checked(days, "days", length: Owner.Day.length)
    }

    @inlinable
    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        if let packet {
            for day in packet.days { _ = try Owner.Day(&io, day) }
            self = packet
            return
        }
        var days: [Owner.Day] = []
        days.reserveCapacity(io.remaining / max(Owner.Day.length, 1))
        while io.remaining > 0 {
            io.enter("days", days.count)
            days.append(try Owner.Day(&io, nil))
            io.leave()
        }
        self.days = days
    }
}
