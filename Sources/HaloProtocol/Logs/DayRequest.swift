/// A request for a day's log, counted back from the ring's today.
public struct DayRequest<Owner: DayCommand>: RequestPacket {
    /// The wanted day.
    public var day: DaysAgo
    /// What follows; zeros so far.
    public let unclaimed: InlineBytes

    /// Asks for a day.
    @inlinable @inline(__always)
    public init(day: DaysAgo) {
        self.day = day
        unclaimed = InlineBytes()
    }

    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        day = try DaysAgo(from: &reader)
        unclaimed = try reader.unclaimed()
    }

    /// Whether a frame says this day, or none.
    public func isAnswered(by frame: Frame) -> Bool {
        guard let found = Owner.day(of: frame) else { return true }
        return found == day
    }

    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {
        day.encode(into: &writer)
        writer.unclaimed(unclaimed)
    }
}
