internal import HaloProtocol

/// What a request of a long read was for, and how the days and slots of its reply become dates and
/// times.
struct HistoryContext: Sendable {
    let step: HistoryStep
    /// The ring's today at the time of the request, or of its reply.
    let today: CivilDate
    /// `true` while ``today`` is only assumed by the app.
    let isAssumed: Bool
    /// The wanted day; today for a step of several days.
    let day: CivilDate
    /// The first and the last day that is wanted; `nil` for all days of a reply.
    let wanted: ClosedRange<CivilDate>?
    /// `true` if values of other days are left out; `false` if they cannot be read again.
    let isLimited: Bool
    /// The time that the ring's clock showed at the request; `nil` if not known.
    let now: CivilDateTime?
    /// The clocks that the ring has had; `nil` if not known.
    let clocks: RingClockLog?
    let dialect: Dialect

    /// The days between the wanted day and the ring's today.
    var daysAgo: DaysAgo { DaysAgo(UInt8(clamping: day.daysAgo(from: today))) }

    func date(_ daysAgo: UInt8) -> CivilDate? { today.daysEarlier(daysAgo) }

    /// The wanted days, from the earliest on; empty if all days of a reply are wanted.
    var wantedDates: [CivilDate] {
        guard let wanted else { return [] }
        let count = wanted.lowerBound.daysAgo(from: wanted.upperBound)
        return (0...count).compactMap { wanted.lowerBound.advanced(byDays: $0) }
    }

    /// Notes that the ring has sent a day, if it is wanted.
    func note(_ date: CivilDate, of kind: HistoryKind, in history: inout RingHistory) {
        if wanted?.contains(date) == true { history.coverage[kind, date] = .read }
    }

    /// Checks whether a value belongs to the history: its day is wanted, and no wrong clock has
    /// shown its time.
    ///
    /// - Parameter end: The time whose day counts, if it is not the beginning.
    func includes(_ start: CivilDateTime, until end: CivilDateTime? = nil) -> Bool {
        if clocks?.isWrong(start) == true { return false }
        return !isLimited || wanted?.contains((end ?? start).date) ?? true
    }

    func secondsFromUTC(from start: CivilDateTime, seconds: Int) -> Int? {
        clocks?.secondsFromUTC(from: start, seconds: seconds)
    }

    /// Returns the samples of a day's slots, without those that are empty or still to come.
    func samples(
        of day: CivilDate, _ slots: SlotsOfDay, _ values: some Sequence<UInt8>
    ) -> [TimedSample<Int>] {
        var samples: [TimedSample<Int>] = []
        for (slot, byte) in values.enumerated() where byte != 0 {
            guard let start = slots.start(of: slot) else { break }
            append(day, start, minutes: Int(slots.minutesPerSlot), Int(byte), to: &samples)
        }
        return samples
    }

    /// Appends a value with its time, if it belongs to the history, and the ring's clock has
    /// already shown that time.
    func append<Value: Sendable>(
        _ day: CivilDate, _ start: CivilTime, minutes: Int, _ value: Value,
        to samples: inout [TimedSample<Value>]
    ) {
        let time = CivilDateTime(day, start)
        guard includes(time), now.map({ time <= $0 }) ?? true else { return }
        samples.append(
            TimedSample(
                time: time, minutes: minutes,
                secondsFromUTC: secondsFromUTC(slot: time, seconds: minutes * 60), value: value))
    }

    /// Returns the seconds by which the ring's clock was ahead of UTC during a slot.
    ///
    /// A current slot may still hold a value that was stored under an earlier clock, which was
    /// ahead.
    private func secondsFromUTC(slot start: CivilDateTime, seconds: Int) -> Int? {
        let isOver = now.map { start.advanced(bySeconds: seconds) <= $0 } ?? true
        guard isOver || clocks?.isComplete == true else { return nil }
        return secondsFromUTC(from: start, seconds: seconds)
    }
}
