import HaloProtocol

@testable import HaloSimulator

extension RingMemory {
    /// The memory of a ring that was worn day and night for some days, with constant settings. Runs
    /// and rides are stored as workouts.
    ///
    /// At most thirty-one days count, since no value is kept for longer.
    init(
        retention: RingRetention = RingRetention(), wornFor days: Int, until now: CivilDateTime,
        wearerTime: CivilDateTime, body: inout BodyClock, settings: AutomaticMeasurements = .all
    ) {
        let seconds = days.limited(to: 0...31) * 86_400
        let ahead = Int64(wearerTime.secondsSince1970) - Int64(now.secondsSince1970)
        let start = now.advanced(bySeconds: -seconds)
        let wearerStart = Int64(start.secondsSince1970) + ahead
        self.init(
            retention: retention, now: start,
            wearerTime: CivilDateTime(secondsSince1970: UInt32(clamping: wearerStart)))
        advance(to: now, body: &body, worn: true, settings: settings) { _ in }
        storeExercise(from: wearerTime.advanced(bySeconds: -seconds), to: wearerTime, &body)
    }

    private mutating func storeExercise(
        from start: CivilDateTime, to end: CivilDateTime, _ body: inout BodyClock
    ) {
        var date: CivilDate? = start.date
        while let day = date, day <= end.date {
            for exertion in body.exertions(on: day) {
                guard exertion.activity != .walking, exertion.start >= start, exertion.end <= end
                else { continue }
                store(workout(exertion, &body))
            }
            date = day.advanced(byDays: 1)
        }
    }

    private func workout(_ exertion: Exertion, _ body: inout BodyClock) -> RingWorkout {
        let seconds = exertion.minutes * 60
        let samples = (0..<seconds).prefix(RingWorkout.mostSamples).map {
            body.state(at: exertion.start.advanced(bySeconds: $0)).beatsPerMinute
        }
        let start = Int64(exertion.start.secondsSince1970) - wearerSecondsAhead
        return RingWorkout(
            sport: exertion.activity == .running ? .run : .cycle,
            start: CivilDateTime(secondsSince1970: UInt32(clamping: start)),
            seconds: seconds,
            movement: body.movement(from: exertion.start, to: exertion.end),
            samples: samples)
    }

    /// Advances the ring's clock to `time`. Returns what was stored meanwhile.
    mutating func advance(
        to time: CivilDateTime, body: inout BodyClock, worn isWorn: Bool = true,
        settings: AutomaticMeasurements = .all
    ) -> [StoredEvent] {
        var events: [StoredEvent] = []
        advance(to: time, body: &body, worn: isWorn, settings: settings) { events.append($0) }
        return events
    }
}

extension Wearer {
    /// The night that ends on a day.
    func night(endingOn date: CivilDate) -> SleepSpan {
        var clock = BodyClock(self, at: CivilDateTime(date))
        return clock.night(endingOn: date)
    }

    /// The planned nap of a day, if there is one.
    func nap(on date: CivilDate) -> SleepSpan? {
        var clock = BodyClock(self, at: CivilDateTime(date))
        return clock.naps(on: date).first
    }

    /// The movement between two times; none if the second is not later.
    func movement(from start: CivilDateTime, to end: CivilDateTime) -> Movement {
        var clock = BodyClock(self, at: start)
        return clock.movement(from: start, to: end)
    }
}

extension BodyClock {
    mutating func night(endingOn date: CivilDate) -> SleepSpan {
        sleeps(around: CivilDateTime(date))[0]
    }

    /// The naps of a day, in order.
    mutating func naps(on date: CivilDate) -> [SleepSpan] {
        sleeps(around: CivilDateTime(date)).filter(\.isNap)
    }
}
