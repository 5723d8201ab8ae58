public import HaloProtocol
public import HaloTransport

/// A current or earlier clock of a ring: the offset of its days and times from UTC.
public struct RingClock: Hashable, Sendable, Codable {
    /// The seconds by which the clock is ahead of UTC, or is assumed to be.
    public let secondsFromUTC: Int
    /// `true` if a program has set the clock and the ring has confirmed it; `false` for an
    /// assumption.
    public let wasSet: Bool
    /// The time that the clock showed when it was set; `nil` for a clock that, as far as is known,
    /// was never set.
    public let since: CivilDateTime?
    /// The difference to the clock before, if that one showed another day that no known clock
    /// explains; otherwise `nil`.
    ///
    /// Values that the ring has stored before have wrong dates.
    public let shift: ClockShift?

    /// Creates a clock.
    public init(
        secondsFromUTC: Int, wasSet: Bool, since: CivilDateTime? = nil, shift: ClockShift? = nil
    ) {
        self.secondsFromUTC = secondsFromUTC
        self.wasSet = wasSet
        self.since = since
        self.shift = shift
    }

    /// Returns the time that the clock shows at the time of a wall clock, within 1970 and 2106.
    public func reading(_ clock: WallClock) -> CivilDateTime {
        clock.utc.advanced(bySeconds: secondsFromUTC)
    }

    /// Returns the time in UTC at which the clock showed a time.
    public func utc(_ time: CivilDateTime) -> CivilDateTime {
        WallClock(local: time, secondsFromUTC: secondsFromUTC).utc
    }

    /// `true` if the clock was sent to the ring, but not confirmed.
    var isInDoubt: Bool { !wasSet && since != nil }

    /// Returns the clock, in doubt or confirmed.
    func confirmed(_ wasSet: Bool) -> RingClock {
        RingClock(secondsFromUTC: secondsFromUTC, wasSet: wasSet, since: since, shift: shift)
    }

    /// The times that a wrong clock before this one may have shown, as far as a ring holds values
    /// of them; `nil` if no wrong clock is known. When the clock went wrong is not known, so the
    /// times may begin before that.
    fileprivate var wrongTimes: Range<CivilDateTime>? {
        guard let since, let shift else { return nil }
        let longest = 31 * 86_400
        let end = since.advanced(bySeconds: shift.leastSeconds.negated)
        let start = since.advanced(bySeconds: shift.mostSeconds.negated)
        return min(start.advanced(bySeconds: -longest), end)..<end
    }
}

extension Int {
    /// The negative number, limited to the range of the type.
    fileprivate var negated: Int { self == .min ? .max : -self }
}

/// The clocks that a ring has had, the earliest first.
///
/// A ring stores the times that its clock showed. The times at which the clocks were set decide
/// which clock has shown a stored time. A time that two clocks have shown, or none, has no known
/// offset from UTC. A time before the setting of a wrong clock is taken for one that it has shown:
/// values that the ring has stored before the clock went wrong count as wrong, too.
struct RingClockLog: Sendable {
    private(set) var clocks: [RingClock] = []

    private static var limit: Int { 64 }

    /// Creates a log of the clocks known to an app.
    init(_ earlier: [RingClock]) {
        let ordered = earlier.sorted { left, right in
            guard let end = right.since else { return false }
            guard let start = left.since else { return true }
            return left.utc(start) < right.utc(end)
        }
        for clock in ordered.suffix(Self.limit) { add(clock) }
    }

    /// Adds the clock that the ring shows from now on, unless it has the same offset as the
    /// previous one.
    mutating func add(_ clock: RingClock) {
        if let last = clocks.last, !last.isInDoubt, last.secondsFromUTC == clock.secondsFromUTC,
            clock.shift == nil
        {
            return
        }
        clocks.append(clock)
        if clocks.count > Self.limit { clocks.removeFirst() }
    }

    /// Confirms the clock that was added last.
    mutating func confirm() {
        guard let last = clocks.last, last.isInDoubt else { return }
        clocks.removeLast()
        add(last.confirmed(true))
    }

    /// Removes the clock that was added last, because the ring has refused it.
    mutating func withdraw() {
        if clocks.last?.isInDoubt == true { clocks.removeLast() }
    }

    /// The clocks of which the ring shows one now: the last one that is not in doubt, and those
    /// after it.
    var current: ArraySlice<RingClock> {
        clocks[(clocks.lastIndex { !$0.isInDoubt } ?? clocks.startIndex)...]
    }

    /// `true` if the first clock has no beginning.
    var isComplete: Bool { clocks.first.map { $0.since == nil } ?? false }

    /// Returns the seconds by which the ring's clock was ahead of UTC during a period; `nil` unless
    /// one clock has shown all of the period, and clocks with other offsets none of it.
    func secondsFromUTC(from start: CivilDateTime, seconds: Int) -> Int? {
        let end = start.advanced(bySeconds: max(seconds, 1))
        guard !clocks.contains(where: { $0.wrongTimes?.contains(start) == true }) else {
            return nil
        }
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

    /// Returns `true` for a time that a wrong clock is taken to have shown: its values are of
    /// another day.
    func isWrong(_ time: CivilDateTime) -> Bool {
        clocks.contains { clock in
            guard let since = clock.since, let wrong = clock.wrongTimes else { return false }
            return time < since && wrong.contains(time)
        }
    }

    /// Returns `true` for a day whose sums are wrong: they are of another day, or of a part of this
    /// one, because a wrong clock was set on it.
    func isWrong(sumOf date: CivilDate) -> Bool {
        isWrong(CivilDateTime(date))
            || clocks.contains { $0.shift != nil && $0.since?.date == date }
    }

    /// The times that a wrong clock and a later one may have shown, the earliest first.
    var uncertainTimes: [Range<CivilDateTime>] {
        clocks.compactMap { clock in
            guard let since = clock.since, let wrong = clock.wrongTimes, since < wrong.upperBound
            else { return nil }
            return max(since, wrong.lowerBound)..<wrong.upperBound
        }
        .sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Returns the time that a clock showed when the next one was set; `nil` for the last clock.
    private func until(_ index: Int) -> CivilDateTime? {
        let next = clocks[(index + 1)...].first { !$0.isInDoubt }
        guard let next, let since = next.since else { return nil }
        return next.utc(since).advanced(bySeconds: clocks[index].secondsFromUTC)
    }
}

/// The epoch of a ring's clock on the transport's timeline: the moment at which the clock would
/// have shown 1970-01-01 00:00:00, between two bounds.
///
/// A ring has no request for the time. But it was set between the request and its confirmation, and
/// a day that it reports narrows the bounds. A day is known only if it is the same at both bounds.
struct ClockEpoch: Hashable, Sendable {
    /// The lower bound: the epoch of a clock that is as far ahead as possible.
    let earliest: Moment
    /// The upper bound: the epoch of a clock that is as far behind as possible.
    let latest: Moment

    private init?(_ earliest: Moment, _ latest: Moment) {
        guard earliest <= latest else { return nil }
        self.earliest = earliest
        self.latest = latest
    }

    /// Creates the epoch of a clock that was set to a time, between the request and its
    /// confirmation.
    ///
    /// The clock has whole seconds. Its drift is assumed to be 100 parts per million at most: twice
    /// the drift of quartz in the cold.
    init(_ time: CivilDateTime, sent: Moment, confirmed: Moment, now: Moment) {
        let drift = max(now.microseconds(since: sent), 0) / 10_000
        let slack = Self.second + drift
        let length = Int64(time.secondsSince1970) * Self.second
        earliest = sent.advanced(byMicroseconds: -length - slack)
        latest = max(sent, confirmed).advanced(byMicroseconds: -length + slack)
    }

    /// Creates the epoch of a clock that is assumed to show a time within a minute.
    init(assuming time: CivilDateTime, at now: Moment) {
        let length = Int64(time.secondsSince1970) * Self.second
        earliest = now.advanced(byMicroseconds: -length - 60 * Self.second)
        latest = now.advanced(byMicroseconds: -length + 60 * Self.second)
    }

    /// Creates the epoch of a clock that showed a day at some moment between request and reply.
    init(_ day: CivilDate, asked: Moment, answered: Moment) {
        let start = Int64(day.daysSince1970) * Self.day
        earliest = asked.advanced(byMicroseconds: 1 - start - Self.day)
        latest = max(asked, answered).advanced(byMicroseconds: -start)
    }

    /// Returns the intersection of the bounds; `nil` if the epochs contradict each other.
    func intersection(_ other: ClockEpoch) -> ClockEpoch? {
        ClockEpoch(max(earliest, other.earliest), min(latest, other.latest))
    }

    /// `true` if the epochs differ by no more than the minutes by which a clock is wrong that was
    /// not set for months.
    func agrees(with other: ClockEpoch) -> Bool {
        let most = 900 * Self.second
        return earliest.advanced(byMicroseconds: -most) <= other.latest
            && other.earliest <= latest.advanced(byMicroseconds: most)
    }

    /// Returns the day that the clock shows during a period; `nil` if there may be a midnight in
    /// it.
    func day(from start: Moment, to end: Moment) -> CivilDate? {
        let first = Self.dayNumber(start.microseconds(since: latest))
        let last = Self.dayNumber(max(start, end).microseconds(since: earliest))
        return first == last ? Self.date(first) : nil
    }

    /// Returns the earliest day that the clock may show at a moment; `nil` if it is out of range.
    func firstDay(at moment: Moment) -> CivilDate? {
        Self.date(Self.dayNumber(moment.microseconds(since: latest)))
    }

    /// Returns the first moment at which the clock certainly shows the latest day that it may show
    /// at a given moment.
    func lastDayIsCertain(at moment: Moment) -> Moment {
        let last = Self.dayNumber(moment.microseconds(since: earliest))
        return latest.advanced(byMicroseconds: last.multipliedReportingOverflow(by: Self.day).0)
    }

    /// `true` if the bounds are at most 15 minutes apart, so that a certain day comes soon.
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

/// The known facts about a ring; they outlive links.
struct RingKnowledge: Sendable {
    var firmware: FirmwareVersion?
    var hardware: HardwareVersion?
    var capabilities = Capabilities()
    /// The form of the request for sleep to which the ring has replied.
    var sleepForm: SleepRequestForm?

    /// The latest day that the ring has reported since its clock was last set.
    var sighting: DayProbe.Sighting?
    /// The clock that is assumed before one was set.
    private var assumed: RingClock
    /// The clock that was sent to the ring, but not confirmed.
    private var pending: (clock: RingClock, sent: Moment)?
    /// The last clock that the ring has confirmed, with the moments of request and confirmation.
    private var confirmed: (clock: RingClock, sent: Moment, confirmed: Moment)?
    /// `true` if the clock was not set on this link: another program may have set it.
    private var wasLeft = false
    /// All known clocks of the ring, the current one included.
    private(set) var clocks: RingClockLog
    /// The number of changes of the clock.
    private(set) var clockGeneration: UInt64 = 0

    /// Creates the knowledge of a ring whose clock is an assumption.
    init(assuming clock: RingClock, after earlier: [RingClock]) {
        assumed = clock
        clocks = RingClockLog(earlier)
    }

    var dialect: Dialect {
        Dialect(board: firmware?.board ?? hardware?.board, capabilities: capabilities)
    }

    /// Stores the versions of firmware and hardware, if they are described.
    mutating func learn(_ information: DeviceInformation) {
        firmware = information.firmwareRevision.flatMap { try? FirmwareVersion(parsing: $0.utf8) }
        hardware = information.hardwareRevision.flatMap { try? HardwareVersion(parsing: $0.utf8) }
    }
}

// MARK: - The clock, which is in doubt from the request to set it until the ring's confirmation

extension RingKnowledge {
    /// The ring's clock, or the assumed one.
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

    /// Begins to set the clock.
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

    /// Ends setting the clock with the ring's reply.
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

    /// Returns the time of the ring's clock, as far as it is known.
    func clockReading(_ wallClock: WallClock, now: Moment) -> CivilDateTime {
        guard pending == nil, let confirmed, let since = confirmed.clock.since else {
            return clock.reading(wallClock)
        }
        let elapsed = now.microseconds(since: confirmed.sent) / 1_000_000
        return since.advanced(bySeconds: Int(clamping: elapsed))
    }
}
