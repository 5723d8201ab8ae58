public import HaloProtocol
public import HaloTransport

/// A clock that a ring has, or has had: it ties the ring's days and times to the world's.
public struct RingClock: Hashable, Sendable {
    /// How many seconds the ring's clock is ahead of UTC, or is taken to be.
    public let secondsFromUTC: Int
    /// `true` when a program has set it and the ring has confirmed that; else it is an assumption.
    public let wasSet: Bool
    /// The time that it showed when it was set; `nil` for a clock that the ring has always had, as
    /// far as anybody knows.
    public let since: CivilDateTime?

    /// A clock.
    public init(secondsFromUTC: Int, wasSet: Bool, since: CivilDateTime? = nil) {
        self.secondsFromUTC = secondsFromUTC
        self.wasSet = wasSet
        self.since = since
    }

    /// What it shows when a clock on the wall shows something; clocks end at 1970 and in 2106.
    public func reading(_ clock: WallClock) -> CivilDateTime {
        clock.utc.advanced(bySeconds: secondsFromUTC)
    }

    /// The moment in UTC when it showed something.
    public func utc(_ time: CivilDateTime) -> CivilDateTime {
        time.advanced(bySeconds: secondsFromUTC == .min ? .max : -secondsFromUTC)
    }

    /// `true` when the ring was told to show it, and has not confirmed that.
    var isInDoubt: Bool { !wasSet && since != nil }
}

/// The clocks that a ring has had, the earliest first.
///
/// A ring keeps the times that its clock showed. Which of the clocks that was follows from when
/// each of them was set; a time that two of them have shown, or none, is in no known zone.
struct RingClockLog: Sendable {
    private(set) var clocks: [RingClock] = []

    private static var limit: Int { 64 }

    /// The clocks that an app knows of.
    init(_ earlier: [RingClock]) {
        let ordered = earlier.sorted { left, right in
            guard let end = right.since else { return false }
            guard let start = left.since else { return true }
            return left.utc(start) < right.utc(end)
        }
        for clock in ordered.suffix(Self.limit) { add(clock) }
    }

    /// Adds the clock that the ring shows from now on; a clock that shows the same as the one
    /// before it is that clock.
    mutating func add(_ clock: RingClock) {
        if let last = clocks.last, !last.isInDoubt, last.secondsFromUTC == clock.secondsFromUTC {
            return
        }
        clocks.append(clock)
        if clocks.count > Self.limit { clocks.removeFirst() }
    }

    /// The ring has confirmed the clock that was added last.
    mutating func confirm() {
        guard let last = clocks.last, last.isInDoubt else { return }
        clocks.removeLast()
        add(RingClock(secondsFromUTC: last.secondsFromUTC, wasSet: true, since: last.since))
    }

    /// The ring has refused the clock that was added last.
    mutating func withdraw() {
        if clocks.last?.isInDoubt == true { clocks.removeLast() }
    }

    /// `true` when the first of the clocks was there always.
    var isComplete: Bool { clocks.first.map { $0.since == nil } ?? false }

    /// How many seconds the clock was ahead of UTC that has shown a stretch of time; `nil` unless
    /// one clock has shown all of it, and no other clock any of it.
    func secondsFromUTC(from start: CivilDateTime, seconds: Int) -> Int? {
        let end = start.advanced(bySeconds: max(seconds, 1))
        var offsets: Set<Int> = []
        var isCertain = false
        for (index, clock) in clocks.enumerated() {
            let (since, until) = (clock.since, self.until(index))
            if let since, end <= since { continue }
            if let until, start >= until { continue }
            offsets.insert(clock.secondsFromUTC)
            if clock.isInDoubt { continue }
            let (isBegun, isOver) = (since.map { $0 > start }, until.map { $0 < end })
            if isBegun != true, isOver != true { isCertain = true }
        }
        return isCertain && offsets.count == 1 ? offsets.first : nil
    }

    /// What a clock showed when the ring got another one; `nil` if it has got none since.
    private func until(_ index: Int) -> CivilDateTime? {
        let next = clocks[(index + 1)...].first { !$0.isInDoubt }
        guard let next, let since = next.since else { return nil }
        return next.utc(since).advanced(bySeconds: clocks[index].secondsFromUTC)
    }
}

/// How a ring's clock stands to the transport's timeline: the moment at which it would have shown
/// 1970-01-01 00:00:00, between bounds.
///
/// A ring cannot be asked for the time. But it was set within the time that this took, and a day
/// that it says narrows the bounds down. Between them lies what is not known: then a day is known
/// only if it is the same at both.
struct ClockEpoch: Hashable, Sendable {
    /// The bound of a clock that is as far ahead as it can be.
    let earliest: Moment
    /// The bound of a clock that is as far behind as it can be.
    let latest: Moment

    private init?(_ earliest: Moment, _ latest: Moment) {
        guard earliest <= latest else { return nil }
        self.earliest = earliest
        self.latest = latest
    }

    /// A clock that was set to a time: at some moment from sending until the ring's confirmation.
    ///
    /// It has whole seconds, and is taken to go wrong by 100 millionths: twice as much as quartz
    /// that is out in the cold.
    init(_ time: CivilDateTime, sent: Moment, confirmed: Moment, now: Moment) {
        let drift = max(now.microseconds(since: sent), 0) / 10_000
        let slack = Self.second + drift
        let length = Int64(time.secondsSince1970) * Self.second
        earliest = sent.advanced(byMicroseconds: -length - slack)
        latest = max(sent, confirmed).advanced(byMicroseconds: -length + slack)
    }

    /// A clock that is taken to show a time, give or take a minute.
    init(assuming time: CivilDateTime, at now: Moment) {
        let length = Int64(time.secondsSince1970) * Self.second
        earliest = now.advanced(byMicroseconds: -length - 60 * Self.second)
        latest = now.advanced(byMicroseconds: -length + 60 * Self.second)
    }

    /// A clock that showed a day at some moment between two others.
    init(_ day: CivilDate, asked: Moment, answered: Moment) {
        let start = Int64(day.daysSince1970) * Self.day
        earliest = asked.advanced(byMicroseconds: 1 - start - Self.day)
        latest = max(asked, answered).advanced(byMicroseconds: -start)
    }

    /// What both say; `nil` where they contradict each other.
    func intersection(_ other: ClockEpoch) -> ClockEpoch? {
        ClockEpoch(max(earliest, other.earliest), min(latest, other.latest))
    }

    /// The day that the clock shows from one moment to another; `nil` where there may be a
    /// midnight between them.
    func day(from start: Moment, to end: Moment) -> CivilDate? {
        let first = Self.dayNumber(start.microseconds(since: latest))
        let last = Self.dayNumber(max(start, end).microseconds(since: earliest))
        return first == last ? Self.date(first) : nil
    }

    /// The earliest day that the clock may show at a moment.
    func firstDay(at moment: Moment) -> CivilDate? {
        Self.date(Self.dayNumber(moment.microseconds(since: latest)))
    }

    /// The moment from which on the clock certainly shows the last day that it may show at a
    /// moment.
    func lastDayIsCertain(at moment: Moment) -> Moment {
        let last = Self.dayNumber(moment.microseconds(since: earliest))
        return latest.advanced(byMicroseconds: last.multipliedReportingOverflow(by: Self.day).0)
    }

    /// `true` when waiting for a certain day takes minutes at most.
    var isNarrow: Bool { latest.microseconds(since: earliest) <= 900 * Self.second }

    private static var second: Int64 { 1_000_000 }
    private static var day: Int64 { 86_400 * second }

    private static func dayNumber(_ microseconds: Int64) -> Int64 {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: day)
        return rest < 0 ? whole - 1 : whole
    }

    private static func date(_ number: Int64) -> CivilDate? {
        try? CivilDate(daysSince1970: Int(clamping: number))
    }
}

/// What has been learnt of a ring; it outlives links.
struct RingKnowledge: Sendable {
    var firmware: FirmwareVersion?
    var hardware: HardwareVersion?
    var capabilities = Capabilities()
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

    /// Takes in the versions that the ring says of itself, as far as they are versions.
    mutating func learn(_ information: DeviceInformation) {
        firmware = information.firmwareRevision.flatMap { try? FirmwareVersion(parsing: $0.utf8) }
        hardware = information.hardwareRevision.flatMap { try? HardwareVersion(parsing: $0.utf8) }
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

    /// The ring has answered to the time that it was told.
    mutating func endSetting(_ answer: Answer<SetTime.Reply>, at now: Moment) {
        guard case .value(let reply) = answer else { return withdrawSetting() }
        confirmSetting(at: now)
        capabilities.update(reply)
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
