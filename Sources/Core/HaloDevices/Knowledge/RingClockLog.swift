internal import HaloProtocol

/// The clocks that a ring has had, the earliest first.
///
/// A ring stores the times that its clock showed. The times at which the clocks were set decide
/// which clock has shown a stored time. A time that two clocks have shown, or none, has no known
/// offset from UTC. A time before the setting of a wrong clock is taken for one that it has shown,
/// even if the ring has stored it while its clock was still right.
struct RingClockLog: Sendable {
    private(set) var clocks: [RingClock] = []

    private static var limit: Int { 64 }

    init(_ earlier: [RingClock]) {
        let ordered = earlier.sorted { left, right in
            guard let end = right.since else { return false }
            guard let start = left.since else { return true }
            return left.utc(of: start) < right.utc(of: end)
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

    mutating func confirm() {
        guard let last = clocks.last, last.isInDoubt else { return }
        clocks.removeLast()
        add(last.confirmed(true))
    }

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
            if !clock.isInDoubt, since ?? start <= start, until ?? end >= end { isCertain = true }
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

    /// The times that no clock has shown, as the next one was set ahead; the earliest first.
    var skippedTimes: [Range<CivilDateTime>] {
        clocks.indices.compactMap { index in
            guard let until = until(index), let since = next(index)?.since, until < since else {
                return nil
            }
            return until..<since
        }
    }

    /// Returns the time that a clock showed when the next one was set; `nil` for the last clock.
    private func until(_ index: Int) -> CivilDateTime? {
        guard let next = next(index), let since = next.since else { return nil }
        return next.utc(of: since).advanced(bySeconds: clocks[index].secondsFromUTC)
    }

    private func next(_ index: Int) -> RingClock? {
        clocks[(index + 1)...].first { !$0.isInDoubt }
    }
}
