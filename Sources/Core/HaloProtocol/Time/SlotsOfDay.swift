/// The equal slots of a day, counted from the ring's midnight.
public struct SlotsOfDay: Hashable, Sendable {
    /// The length of a slot in minutes. Rings may send 0: then there are no slots.
    public let minutesPerSlot: UInt8

    static let minutesPerDay = 1440

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
    package func slot(at time: CivilTime) -> Int? {
        minutesPerSlot > 0 ? time.minuteOfDay / Int(minutesPerSlot) : nil
    }
}
