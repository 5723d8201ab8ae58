/// Sets an LED strip's clock: see the drawing at ``LEDStrip``.
///
/// The source says that Sunday is weekday 0, and its example has a Sunday with 7.
public struct LEDStripClock: BytePacket {
    public static var name: PacketName { PacketName("LEDStripClock") }

    static var start: UInt8 { 0x10 }
    static var beforeEnd: UInt8 { 0x00 }
    static var end: UInt8 { 0x01 }

    /// Hundreds of years.
    public let century: UInt8
    /// Years of the century.
    public let yearOfCentury: UInt8
    /// The month, 1 to 12.
    public let month: UInt8
    /// The day of the month, from 1.
    public let day: UInt8
    /// The hour, 0 to 23.
    public let hour: UInt8
    /// The minute.
    public let minute: UInt8
    /// The second.
    public let second: UInt8
    /// The day of the week: Monday is 1, Sunday 7 as in the source's example.
    public let weekday: UInt8

    /// The strip's clock shows this time from now on.
    public init(_ time: CivilDateTime) {
        let date = time.date
        century = UInt8(truncatingIfNeeded: date.year / 100)
        yearOfCentury = UInt8(truncatingIfNeeded: date.year % 100)
        month = UInt8(truncatingIfNeeded: date.month)
        day = UInt8(truncatingIfNeeded: date.day)
        hour = UInt8(truncatingIfNeeded: time.time.hour)
        minute = UInt8(truncatingIfNeeded: time.time.minute)
        second = UInt8(truncatingIfNeeded: time.time.second)
        // 1970-01-01 was a Thursday.
        weekday = UInt8(truncatingIfNeeded: (Int(date.daysSince1970) + 3) % 7 + 1)
    }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        try reader.marker("start", Self.start)
        century = try reader.uint8("century")
        yearOfCentury = try reader.uint8("yearOfCentury")
        month = try reader.uint8("month", in: 1...12)
        day = try reader.uint8("day", in: 1...31)
        hour = try reader.uint8("hour", in: 0...23)
        minute = try reader.uint8("minute", in: 0...59)
        second = try reader.uint8("second", in: 0...59)
        weekday = try reader.uint8("weekday", in: 0...7)
        try reader.marker("beforeEnd", Self.beforeEnd)
        try reader.marker("end", Self.end)
    }

    public func encode(into writer: inout ByteWriter) {
        writer.marker("start", Self.start)
        writer.uint8("century", century)
        writer.uint8("yearOfCentury", yearOfCentury)
        writer.uint8("month", month)
        writer.uint8("day", day)
        writer.uint8("hour", hour)
        writer.uint8("minute", minute)
        writer.uint8("second", second)
        writer.uint8("weekday", weekday)
        writer.marker("beforeEnd", Self.beforeEnd)
        writer.marker("end", Self.end)
    }
}
