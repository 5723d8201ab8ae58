/// A big-data record of stored days, all of the same length but the last one, which may end early.
///
/// An R10 sent a day of temperatures that ended after its header: it had measured none. A payload
/// of a single zero is no day, but ``BigDataReply/isNoData(_:)``.
public struct RecordDays<Owner: RecordDaysCommand>: BigDataReply {
    /// The days in the ring's order.
    public let days: [Owner.Day]

    /// Creates a record of the given days; throws if they do not fit into a frame, and for a day
    /// before the last one that is not whole.
    public init(days: [Owner.Day]) throws(ValueError) {
        self.days = try RecordLength.checked(days, "days", length: Owner.Day.length)
        let length = Owner.Day.length
        for day in days.dropLast() {
            try ValueError.check("length", day.sentLength, in: length...length)
        }
        // A lone header of one byte could be taken for "no data".
        if days.count == 1, let day = days.first {
            try ValueError.check("length", day.sentLength, in: min(2, length)...length)
        }
    }

    @inlinable
    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        if let packet {
            for day in packet.days { _ = try Owner.Day(&io, day) }
            self = packet
            return
        }
        if io.remaining == 1, io.upcoming(nil) == 0 {
            try PacketError.throwTruncated(
                "days", at: io.offset, needs: Owner.Day.length, remaining: 1)
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
