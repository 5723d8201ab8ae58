/// A time of day in minutes since the ring's midnight; invalid numbers are kept.
@frozen
public struct MinuteOfDay: RawRepresentable, Hashable, Sendable {
    /// The number of minutes; a valid one is at most 1439.
    public var rawValue: UInt16

    /// Creates a number of minutes, valid or not.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public init(_ time: CivilTime) {
        rawValue = UInt16(clamping: time.minuteOfDay)
    }

    /// The time of day, or `nil` if no day has that minute.
    public var time: CivilTime? { try? CivilTime(minuteOfDay: Int(rawValue)) }
}

extension MinuteOfDay: Comparable, CustomStringConvertible {
    /// Returns `true` if the left minute is earlier.
    public static func < (left: MinuteOfDay, right: MinuteOfDay) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The time as `14:16:00`, or the number of an invalid minute.
    public var description: String { time?.description ?? "minute \(rawValue)" }
}

extension FieldIO where Self: ~Escapable {
    /// Minutes since midnight, two bytes, little endian; invalid numbers are kept.
    @inlinable @inline(__always)
    public mutating func minuteOfDay(
        _ name: FieldName, _ value: MinuteOfDay?, _ secrecy: FieldSecrecy
    ) throws(PacketError) -> MinuteOfDay {
        let minute = MinuteOfDay(rawValue: try uint16(name, value.map { $0.rawValue }, secrecy))
        means { minute.description }
        return minute
    }
}
