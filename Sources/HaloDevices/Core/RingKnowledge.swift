internal import HaloProtocol
internal import HaloTransport

/// What has been learnt of a ring; it outlives links.
struct RingKnowledge: Sendable {
    var firmware: FirmwareVersion?
    var hardware: HardwareVersion?
    var capabilities = Capabilities()
    /// What was read before the clock was set.
    var orphans: RingHistory?
    /// `true` once reading that has taken longer than it may.
    var historyTimedOut = false
    /// The way to ask for sleep that was answered.
    var sleepForm: SleepRequestForm?

    /// The clock that the ring is taken to have while nothing else is known.
    private var assumed: RingClock
    /// The clock that the ring was told and has not confirmed.
    private var pending: (clock: RingClock, sent: Moment)?
    /// The clock that the ring has confirmed last.
    private var confirmed: (clock: RingClock, sent: Moment, confirmed: Moment)?
    /// `true` when the ring was out of sight since it confirmed its clock.
    private var wasLeft = false
    /// The clocks that the ring has had, with the one that it has.
    private(set) var clocks: RingClockLog
    /// Counts the changes of the clock.
    private(set) var clockGeneration: UInt64 = 0

    /// A ring whose clock is an assumption so far.
    init(assuming clock: RingClock, after earlier: [RingClock]) {
        assumed = clock
        clocks = RingClockLog(earlier)
    }

    var dialect: Dialect {
        Dialect(board: firmware?.board ?? hardware?.board, capabilities: capabilities)
    }
}

/// The clock: from the first attempt to set it until the ring's confirmation it is in doubt.
extension RingKnowledge {
    /// The clock as the ring has it, or is taken to have it.
    var clock: RingClock { pending?.clock ?? confirmed?.clock ?? assumed }

    private mutating func clockChanged() { clockGeneration &+= 1 }

    /// The clock of a new link is left alone: it is what was set before, or taken to be this one,
    /// as far back as nothing else is known.
    mutating func assume(_ clock: RingClock) {
        leaveClock()
        assumed = clock
        if clocks.clocks.isEmpty { clocks.add(clock) }
    }

    /// The clock is not set on this link: what was set on an earlier one is an assumption.
    mutating func leaveClock() {
        clockChanged()
        wasLeft = true
    }

    /// The ring is told the time.
    mutating func beginSetting(_ clock: RingClock, at now: Moment) {
        clockChanged()
        let inDoubt = RingClock(
            secondsFromUTC: clock.secondsFromUTC, wasSet: false, since: clock.since)
        pending = (inDoubt, now)
        clocks.add(inDoubt)
    }

    /// The ring has confirmed the time, perhaps late.
    mutating func confirmSetting(at now: Moment) {
        guard let (clock, sent) = pending else { return }
        clockChanged()
        pending = nil
        wasLeft = false
        let set = RingClock(secondsFromUTC: clock.secondsFromUTC, wasSet: true, since: clock.since)
        confirmed = (set, sent, now)
        clocks.confirm()
    }

    /// The ring has refused the time: its clock is what it was.
    mutating func withdrawSetting() {
        guard pending != nil else { return }
        clockChanged()
        pending = nil
        clocks.withdraw()
    }

    /// How the clock stands to the transport's timeline, and whether that is more than an
    /// assumption.
    func clockEpoch(_ wallClock: WallClock, now: Moment) -> (epoch: ClockEpoch, isProven: Bool) {
        if pending == nil, let confirmed, let since = confirmed.clock.since {
            let epoch = ClockEpoch(
                since, sent: confirmed.sent, confirmed: confirmed.confirmed, now: now)
            return (epoch, !wasLeft && epoch.isNarrow)
        }
        return (ClockEpoch(assuming: clock.reading(wallClock), at: now), false)
    }

    /// The time that the clock shows, as far as it is known.
    func clockReading(_ wallClock: WallClock, now: Moment) -> CivilDateTime {
        guard pending == nil, let confirmed, let since = confirmed.clock.since else {
            return clock.reading(wallClock)
        }
        let elapsed = now.microseconds(since: confirmed.sent) / 1_000_000
        return since.advanced(bySeconds: Int(clamping: elapsed))
    }
}
