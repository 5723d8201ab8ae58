/// Asks for values at equal distances. Vendor notes only, and only the fields' names.
///
///     → id day interval count index
///
/// That each field has one byte is a guess.
public struct IntervalRequest<Owner: BigDataCommand>: BigDataRequest {
    /// Which day.
    public var day: UInt8
    /// The distance between two values; its unit is not known.
    public var interval: UInt8
    /// How many.
    public var count: UInt8
    /// From which one on.
    public var index: UInt8

    /// Asks for values.
    public init(day: UInt8, interval: UInt8, count: UInt8, index: UInt8) {
        self.day = day
        self.interval = interval
        self.count = count
        self.index = index
    }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        day = try reader.uint8("day")
        interval = try reader.uint8("interval")
        count = try reader.uint8("count")
        index = try reader.uint8("index")
    }

    public func encode(into writer: inout ByteWriter) {
        writer.uint8("day", day)
        writer.uint8("interval", interval)
        writer.uint8("count", count)
        writer.uint8("index", index)
    }
}
