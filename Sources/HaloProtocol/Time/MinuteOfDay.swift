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

/// The equal slots of a day, counted from the ring's midnight.
public struct SlotsOfDay: Hashable, Sendable {
    /// The length of a slot in minutes. Rings may send 0: then there are no slots.
    public let minutesPerSlot: UInt8

    static let minutesPerDay = 1440

    /// Creates the slots of a day, from their length in minutes.
    public init(minutesPerSlot: UInt8) {
        self.minutesPerSlot = minutesPerSlot
    }

    /// The number of slots in a day; the last one may be shorter.
    public var count: Int {
        guard minutesPerSlot > 0 else { return 0 }
        return (Self.minutesPerDay + Int(minutesPerSlot) - 1) / Int(minutesPerSlot)
    }

    /// Returns the start of a slot, or `nil` if the day has no such slot.
    public func start(of slot: Int) -> CivilTime? {
        guard slot >= 0, slot < count else { return nil }
        return try? CivilTime(minuteOfDay: slot * Int(minutesPerSlot))
    }

    /// Returns the slot of a time, or `nil` if there are no slots.
    public func slot(at time: CivilTime) -> Int? {
        minutesPerSlot > 0 ? time.minuteOfDay / Int(minutesPerSlot) : nil
    }
}
