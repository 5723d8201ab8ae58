/// A part of every day, such as the hours in which a ring measures or keeps quiet.
///
/// Hours and minutes are plain numbers, not decimal digits. Rings also send bytes that are no time,
/// so the bytes are kept; ``start`` and ``end`` are `nil` for those.
@frozen
public struct DailyPeriod: FrameFields {
    @usableFromInline package var startHour: UInt8
    @usableFromInline package var startMinute: UInt8
    @usableFromInline package var endHour: UInt8
    @usableFromInline package var endMinute: UInt8

    /// Creates a period between two times of day. `end` may be the earlier one; seconds are
    /// dropped.
    public init(from start: CivilTime, to end: CivilTime) {
        startHour = UInt8(clamping: start.hour)
        startMinute = UInt8(clamping: start.minute)
        endHour = UInt8(clamping: end.hour)
        endMinute = UInt8(clamping: end.minute)
    }

    /// The start, or `nil` if the bytes are no time.
    public var start: CivilTime? {
        try? CivilTime(hour: Int(startHour), minute: Int(startMinute))
    }

    /// The end, or `nil` if the bytes are no time.
    public var end: CivilTime? {
        try? CivilTime(hour: Int(endHour), minute: Int(endMinute))
    }

    @inlinable @inline(__always)
    public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        startHour = try io.uint8("startHour", packet?.startHour, .open)
        startMinute = try io.uint8("startMinute", packet?.startMinute, .open)
        endHour = try io.uint8("endHour", packet?.endHour, .open)
        endMinute = try io.uint8("endMinute", packet?.endMinute, .open)
    }
}
