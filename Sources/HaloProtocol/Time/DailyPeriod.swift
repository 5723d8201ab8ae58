/// A part of every day, such as the hours in which a ring measures or keeps still.
///
/// Hours and minutes are plain numbers, not decimal digits. Rings also send what is no time, so
/// the bytes are kept, and ``start`` and ``end`` say what they mean where they mean something.
@frozen
public struct DailyPeriod: FrameFields {
    /// The hour it begins in, as it was sent.
    public var startHour: UInt8
    /// The minute it begins in, as it was sent.
    public var startMinute: UInt8
    /// The hour it ends in, as it was sent.
    public var endHour: UInt8
    /// The minute it ends in, as it was sent.
    public var endMinute: UInt8

    /// From one time of day to another, which may be the earlier one; seconds are dropped.
    public init(from start: CivilTime, to end: CivilTime) {
        startHour = UInt8(clamping: start.hour)
        startMinute = UInt8(clamping: start.minute)
        endHour = UInt8(clamping: end.hour)
        endMinute = UInt8(clamping: end.minute)
    }

    /// When it begins, if the bytes are a time.
    public var start: CivilTime? {
        try? CivilTime(hour: Int(startHour), minute: Int(startMinute))
    }

    /// When it ends, if the bytes are a time.
    public var end: CivilTime? {
        try? CivilTime(hour: Int(endHour), minute: Int(endMinute))
    }

    @inlinable @inline(__always)
    public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
        startHour = try reader.uint8("startHour")
        startMinute = try reader.uint8("startMinute")
        endHour = try reader.uint8("endHour")
        endMinute = try reader.uint8("endMinute")
    }

    @inlinable @inline(__always)
    public func encode(into writer: inout FrameWriter) {
        writer.uint8("startHour", startHour)
        writer.uint8("startMinute", startMinute)
        writer.uint8("endHour", endHour)
        writer.uint8("endMinute", endMinute)
    }
}
