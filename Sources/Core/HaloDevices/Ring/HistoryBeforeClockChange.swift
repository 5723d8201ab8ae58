public import HaloProtocol
public import HaloTransport

/// The values that a ring has stored under a clock that shows another day, before that clock is
/// set: see ``RingOptions/keepBeforeClockChange``.
public struct HistoryBeforeClockChange: Sendable {
    /// The identity of the ring.
    public let ring: PeripheralIdentity
    /// The name that the ring advertised.
    public let name: String?
    /// The version of the firmware; `nil` if the ring reports none that is described.
    public let firmware: FirmwareVersion?
    /// The version of the circuit board; `nil` if the ring reports none that is described.
    public let hardware: HardwareVersion?
    /// The values, with the dates of the old clock, and with the difference in
    /// ``RingHistory/clockShift``.
    public let history: RingHistory
    /// All known clocks of the ring. The last one is the clock that is about to be set.
    public let clocks: [RingClock]
    /// The time of the read on the right clock.
    public let readAt: WallClock
}
