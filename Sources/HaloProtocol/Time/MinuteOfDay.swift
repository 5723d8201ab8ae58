/// A time of day as records write it: minutes since the ring's midnight, two bytes.
///
/// What is no time of day is kept as it was sent.
@frozen
public struct MinuteOfDay: RawRepresentable, Hashable, Sendable {
    /// The minutes, as they were sent.
    public var rawValue: UInt16

    /// A number of minutes as it was sent; a day has those up to 1439.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The minute that a time of day lies in.
    public init(_ time: CivilTime) {
        rawValue = UInt16(clamping: time.minuteOfDay)
    }

    /// The time of day; nothing if no day has that minute.
    public var time: CivilTime? { try? CivilTime(minuteOfDay: Int(rawValue)) }
}

extension MinuteOfDay: Comparable, CustomStringConvertible {
    /// Earlier minutes come first.
    public static func < (left: MinuteOfDay, right: MinuteOfDay) -> Bool {
        left.rawValue < right.rawValue
    }

    /// `14:16:00`, or the number of a minute that no day has.
    public var description: String { time?.description ?? "minute \(rawValue)" }
}

extension FieldReader where Self: ~Escapable {
    /// Minutes since midnight, two bytes, the lower first; whatever they are is kept.
    @inlinable @inline(__always)
    public mutating func minuteOfDay(_ name: FieldName) throws(PacketError) -> MinuteOfDay {
        let minute = MinuteOfDay(rawValue: try uint16(name))
        means { minute.description }
        return minute
    }
}

extension FieldWriter {
    /// Minutes since midnight, two bytes, the lower first.
    @inlinable @inline(__always)
    public mutating func minuteOfDay(_ name: FieldName, _ minute: MinuteOfDay) {
        uint16(name, minute.rawValue)
    }
}
