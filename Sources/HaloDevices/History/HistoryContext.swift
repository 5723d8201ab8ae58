internal import HaloProtocol
internal import HaloTransport

/// What turns days and slots of a ring into times of a calendar, when a request is made.
struct HistoryContext: Sendable {
    /// The ring's today.
    let today: CivilDate
    /// What its clock shows; nothing where nobody knows.
    let now: CivilDateTime?
    /// How many seconds its clock is ahead of UTC; nothing where nobody knows.
    let secondsFromUTC: Int?
    let dialect: Dialect
    let capabilities: Capabilities

    /// A ring whose clock is known, or taken to be.
    init(_ clock: WallClock, _ knowledge: RingKnowledge) {
        let now = knowledge.clock.reading(clock)
        today = now.date
        self.now = now
        secondsFromUTC = knowledge.clock.secondsFromUTC
        dialect = knowledge.dialect
        capabilities = knowledge.capabilities
    }

    /// A ring of whose clock no more is known than the day, if that.
    init(oldClockOf history: RingHistory, _ knowledge: RingKnowledge) {
        today = history.today
        now = nil
        secondsFromUTC = nil
        dialect = knowledge.dialect
        capabilities = knowledge.capabilities
    }

    /// The day that lies so many days before the ring's today.
    func date(_ daysAgo: UInt8) -> CivilDate? { today.daysEarlier(daysAgo) }

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
                time: time, minutes: minutes, secondsFromUTC: secondsFromUTC, value: value))
    }

    /// Whether the ring has not said yet that it does not have something.
    func isWorthAsking(_ step: HistoryStep, _ history: RingHistory) -> Bool {
        if history.unsupported.contains(step.kind) { return false }
        let said: Bool? =
            switch step.kind {
            case .stress: capabilities.stress
            case .variability: capabilities.heartRateVariability
            case .bloodOxygen: capabilities.bloodOxygen
            case .temperature: capabilities.temperature
            case .heartRate, .activity, .sleep, .workouts, .totals: nil
            }
        return said ?? true
    }
}
