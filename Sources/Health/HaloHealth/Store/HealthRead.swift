public import HaloDevices
internal import HaloTransport

/// What was read of a ring at one time, for a ``HealthStore``.
public struct HealthRead: Sendable {
    /// The identity of the ring; on Linux its address.
    public var ring: PeripheralIdentity
    /// The name of the ring.
    public var name: String?
    /// The version of its firmware.
    public var firmware: String?
    /// The version of its board.
    public var hardware: String?
    /// The charge of its battery.
    public var battery: BatteryCharge?
    /// The settings that explain the values: `Ring.healthSettings()`.
    public var settings: [HealthSetting: Double] = [:]
    /// All clocks that are known of the ring: `Ring.clocks`.
    public var clocks: [RingClock] = []
    /// The values.
    public var history: RingHistory
    /// The values that a wrong clock had stored: `Ring.historyBeforeClockChange`.
    public var historyBeforeClockChange: RingHistory?
    /// The recorded link in the format of captures, so that a later version of this package can
    /// read the answers of the ring again.
    public var capture: String?
    /// `true` if offsets from UTC were only assumed: the Python client takes each clock for UTC,
    /// and sets it after a read. Two values of one time on the ring's clock are the same one then,
    /// whatever their offsets.
    var assumesUTC = false
    /// The time of the read on the clock that the ring should have shown, if it has shown another
    /// day.
    var rightTime: WallClock?

    /// Creates a read of a ring by its identity.
    public init(_ ring: PeripheralIdentity, name: String? = nil, _ history: RingHistory) {
        self.ring = ring
        self.name = name
        self.history = history
    }

    /// Creates a read of what a wrong clock has stored, before it is set: for
    /// `RingOptions.keepBeforeClockChange`.
    public init(_ old: HistoryBeforeClockChange) {
        self.init(old.ring, name: old.name, old.history)
        firmware = old.firmware.map { "\($0)" }
        hardware = old.hardware.map { "\($0)" }
        clocks = old.clocks
        rightTime = old.history.clockShift == nil ? nil : old.readAt
    }

    /// Creates a read of a ring, with what the ring has reported about itself.
    public init(
        _ ring: Ring, _ history: RingHistory, battery: BatteryCharge? = nil,
        settings: [HealthSetting: Double] = [:]
    ) {
        self.init(ring.identity, name: ring.name, history)
        firmware = ring.firmware.map { "\($0)" }
        hardware = ring.hardware.map { "\($0)" }
        clocks = ring.clocks
        historyBeforeClockChange = ring.historyBeforeClockChange
        self.battery = battery
        self.settings = settings
    }
}
