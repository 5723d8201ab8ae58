/// The command that sets an LED strip's clock; the layout is drawn at ``LEDStripCommand``.
///
/// The source documents weekday 0 for Sunday, but its example has a Sunday with 7.
public struct LEDStripClock: BytePacket {
    public static var name: PacketName { PacketName("LEDStripClock") }

    static var start: UInt8 { 0x10 }

    package let century: UInt8
    package let yearOfCentury: UInt8
    package let month: UInt8
    package let day: UInt8
    package let hour: UInt8
    package let minute: UInt8
    package let second: UInt8
    /// The day of the week: Monday is 1, Sunday 7 as in the source's example.
    package let weekday: UInt8

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

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        try io.marker("start", Self.start, packet)
        century = try io.uint8("century", packet?.century, .datePart(.century))
        yearOfCentury = try io.uint8(
            "yearOfCentury", packet?.yearOfCentury, .datePart(.yearOfCentury))
        month = try io.uint8("month", packet?.month, .datePart(.month), in: 1...12)
        day = try io.uint8("day", packet?.day, .datePart(.day), in: 1...31)
        hour = try io.uint8("hour", packet?.hour, .open, in: 0...23)
        minute = try io.uint8("minute", packet?.minute, .open, in: 0...59)
        second = try io.uint8("second", packet?.second, .open, in: 0...59)
        weekday = try io.uint8("weekday", packet?.weekday, .datePart(.weekday), in: 0...7)
        try io.marker("beforeEnd", 0x00, packet)
        try io.marker("end", 0x01, packet)
    }
}
