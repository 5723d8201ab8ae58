internal import HaloProtocol

/// What turns days and slots of an answer into times of a calendar.
struct HistoryContext: Sendable {
    /// The ring's today, when it answered.
    let today: CivilDate
    /// The day that was wanted, where it is one.
    let day: CivilDate
    /// What its clock showed when it was asked; `nil` where nobody knows.
    let now: CivilDateTime?
    /// The clocks that the ring has had; `nil` where nobody knows.
    let clocks: RingClockLog?
    let dialect: Dialect

    /// The day that lies so many days before the ring's today.
    func date(_ daysAgo: UInt8) -> CivilDate? { today.daysEarlier(daysAgo) }

    /// How many seconds the ring's clock was ahead of UTC in a stretch of time.
    func secondsFromUTC(from start: CivilDateTime, seconds: Int) -> Int? {
        clocks?.secondsFromUTC(from: start, seconds: seconds)
    }

    /// The values of a day's slots: those that are there, and began before now.
    func samples<Value: Sendable>(
        of day: CivilDate, _ slots: SlotsOfDay, _ values: some Sequence<UInt8>,
        _ value: (UInt8) -> Value
    ) -> [TimedSample<Value>] {
        var samples: [TimedSample<Value>] = []
        for (slot, byte) in values.enumerated() where byte != 0 {
            guard let start = slots.start(of: slot) else { break }
            append(
                day, start, minutes: Int(slots.minutesPerSlot), value(byte), to: &samples)
        }
        return samples
    }

    /// Adds a value with its time, unless that is still to come.
    func append<Value: Sendable>(
        _ day: CivilDate, _ start: CivilTime, minutes: Int, _ value: Value,
        to samples: inout [TimedSample<Value>]
    ) {
        let time = CivilDateTime(day, start)
        if let now, time > now { return }
        samples.append(
            TimedSample(
                time: time, minutes: minutes,
                secondsFromUTC: secondsFromUTC(slot: time, seconds: minutes * 60), value: value))
    }

    /// How many seconds the ring's clock was ahead of UTC in a slot. One that is not over may still
    /// hold what was stored there by an earlier clock that was ahead.
    private func secondsFromUTC(slot start: CivilDateTime, seconds: Int) -> Int? {
        let isOver = now.map { start.advanced(bySeconds: seconds) <= $0 } ?? true
        guard isOver || clocks?.isComplete == true else { return nil }
        return secondsFromUTC(from: start, seconds: seconds)
    }
}

/// What a request of a long read is to bring.
struct HistoryAim: Sendable {
    /// The ring's today, when it is asked.
    let today: CivilDate
    /// `true` when nothing but the app says that this is its today.
    let isAssumed: Bool
    /// The day that is wanted, where it is one.
    let day: CivilDate
    /// How many days before the ring's today that is.
    let daysAgo: DaysAgo
    /// What the ring's clock shows then; `nil` where nobody knows.
    let now: CivilDateTime?
    let dialect: Dialect
}
