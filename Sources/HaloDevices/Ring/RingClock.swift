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
