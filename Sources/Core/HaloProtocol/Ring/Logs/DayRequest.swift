/// A request for the log of one day, counted back from the ring's today.
@frozen
public struct DayRequest<Owner: DayCommand>: RequestPacket {
    public var day: DaysAgo
    @usableFromInline package var unclaimed: InlineBytes

    @inlinable @inline(__always)
    public init(day: DaysAgo) {
        self.day = day
        unclaimed = Owner.bytesAfterDay
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        day = try DaysAgo(&io, packet?.day)
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }

    /// Accepts frames of this day, and those without a day.
    public func isAnswered(by frame: Frame) -> Bool {
        Owner.day(of: frame) ?? day == day
    }
}

extension SlotLogCommand {
    /// Returns the day of a frame of the reply, which only the second frame contains.
    public static func day(of frame: Frame) -> Day? {
        (try? SlotLogPart<Self>(decoding: frame))?.content.day
    }
}
