/// A day cut into equal slots, counted from the ring's midnight.
public struct SlotsOfDay: Hashable, Sendable {
    /// How long a slot is; 0 when a ring says so, and then there are no slots.
    public let minutesPerSlot: UInt8

    static let minutesPerDay = 1440

    /// A day cut into slots of so many minutes.
    public init(minutesPerSlot: UInt8) {
        self.minutesPerSlot = minutesPerSlot
    }

    /// How many slots a day has; the last one may be shorter.
    public var count: Int {
        guard minutesPerSlot > 0 else { return 0 }
        return (Self.minutesPerDay + Int(minutesPerSlot) - 1) / Int(minutesPerSlot)
    }

    /// When a slot begins; nothing for a slot that the day does not have.
    public func start(of slot: Int) -> CivilTime? {
        guard slot >= 0, slot < count else { return nil }
        return try? CivilTime(minuteOfDay: slot * Int(minutesPerSlot))
    }

    /// The slot that a time falls in; nothing if there are no slots.
    public func slot(at time: CivilTime) -> Int? {
        minutesPerSlot > 0 ? time.minuteOfDay / Int(minutesPerSlot) : nil
    }
}
