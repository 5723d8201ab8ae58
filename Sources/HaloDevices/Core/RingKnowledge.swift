internal import HaloProtocol

/// What has been learnt of a ring; it outlives links.
struct RingKnowledge: Sendable {
    var firmware: FirmwareVersion?
    var hardware: HardwareVersion?
    var capabilities = Capabilities()
    var clock: RingClock
    /// What was read before the clock was set.
    var orphans: RingHistory?
    /// `true` once reading that has taken longer than it may.
    var historyTimedOut = false
    /// The way to ask for sleep that was answered.
    var sleepForm: SleepRequestForm?

    var dialect: Dialect {
        Dialect(board: firmware?.board ?? hardware?.board, capabilities: capabilities)
    }
}
