internal import HaloProtocol
internal import HaloTransport

/// The known facts about a ring; they outlive links.
struct RingKnowledge: Sendable {
    var firmware: FirmwareVersion?
    var hardware: HardwareVersion?
    var capabilities = Capabilities()
    /// The form of the request for sleep to which the ring has replied.
    var sleepForm: SleepRequestForm?

    /// The latest day that the ring has reported since its clock was last set.
    var sighting: DayProbe.Sighting?
    private var assumed: RingClock
    /// The clock that was sent to the ring, but not confirmed.
    private var pending: (clock: RingClock, sent: Moment)?
    /// The last clock that the ring has confirmed, with the moments of request and confirmation.
    private var confirmed: (clock: RingClock, sent: Moment, confirmed: Moment)?
    /// `true` if the clock was not set on this link: another program may have set it.
    private var wasLeft = false
    private(set) var clocks: RingClockLog
    private(set) var clockGeneration: UInt64 = 0

    init(assuming clock: RingClock, after earlier: [RingClock]) {
        assumed = clock
        clocks = RingClockLog(earlier)
    }

    var dialect: Dialect {
        Dialect(board: firmware?.board ?? hardware?.board, capabilities: capabilities)
    }

    mutating func learn(_ information: DeviceInformation) {
        firmware = information.firmwareRevision.flatMap { try? FirmwareVersion(parsing: $0.utf8) }
        hardware = information.hardwareRevision.flatMap { try? HardwareVersion(parsing: $0.utf8) }
    }

    var clock: RingClock { pending?.clock ?? confirmed?.clock ?? assumed }

    private mutating func clockChanged() { clockGeneration &+= 1 }

    /// Assumes a clock for the past and the present: the clock is not set on this link.
    mutating func assume(_ clock: RingClock) {
        leaveClock()
        assumed = clock
        if clocks.clocks.isEmpty { clocks.add(clock) }
    }

    /// Makes the clock an assumption, because it is not set on this link.
    mutating func leaveClock() {
        clockChanged()
        wasLeft = true
        sighting = nil
    }

    mutating func beginSetting(_ clock: RingClock, at now: Moment) {
        clockChanged()
        let expected = ExpectedTime(clock, at: now)
        let inDoubt = RingClock(
            secondsFromUTC: clock.secondsFromUTC, wasSet: false, since: clock.since,
            shift: sighting.flatMap { shift(of: $0, from: expected) })
        pending = (inDoubt, now)
        clocks.add(inDoubt)
    }

    /// Returns the difference between a day that the ring has reported and the time that it should
    /// show; `nil` if the right clock may have shown that day, or one that the ring may still have.
    func shift(of sighting: DayProbe.Sighting, from expected: ExpectedTime) -> ClockShift? {
        if clocks.current.contains(where: { expected.epoch(of: $0).agrees(with: sighting.epoch) }) {
            return nil
        }
        return ClockShift(sighting, right: expected.epoch)
    }

    /// Confirms the clock; the ring's confirmation may be late.
    mutating func confirmSetting(at now: Moment) {
        guard let (clock, sent) = pending else { return }
        clockChanged()
        pending = nil
        wasLeft = false
        sighting = nil
        confirmed = (clock.confirmed(true), sent, now)
        clocks.confirm()
    }

    mutating func endSetting(_ answer: Answer<SetTime.Reply>, at now: Moment) {
        guard case .value(let reply) = answer else { return withdrawSetting() }
        confirmSetting(at: now)
        capabilities.update(reply)
    }

    /// Restores the clock after the ring has refused another one.
    mutating func withdrawSetting() {
        guard pending != nil else { return }
        clockChanged()
        pending = nil
        clocks.withdraw()
    }

    /// Returns the clock's epoch. `isProven` is `true` if the epoch is more than an assumption.
    func clockEpoch(_ wallClock: WallClock, now: Moment) -> (epoch: ClockEpoch, isProven: Bool) {
        if pending == nil, let confirmed, let since = confirmed.clock.since {
            let epoch = ClockEpoch(
                since, sent: confirmed.sent, confirmed: confirmed.confirmed, now: now)
            return (epoch, !wasLeft && epoch.isNarrow)
        }
        return (ClockEpoch(assuming: clock.reading(wallClock), at: now), false)
    }

    func clockReading(_ wallClock: WallClock, now: Moment) -> CivilDateTime {
        guard pending == nil, let confirmed, let since = confirmed.clock.since else {
            return clock.reading(wallClock)
        }
        let elapsed = now.microseconds(since: confirmed.sent) / 1_000_000
        return since.advanced(bySeconds: Int(clamping: elapsed))
    }
}
