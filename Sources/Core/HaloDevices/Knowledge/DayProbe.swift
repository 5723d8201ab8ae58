internal import HaloProtocol
internal import HaloTransport

/// The requests that determine the day of a ring's clock.
///
/// Rings have no request for the day. But a ring dates its activity and the totals of its today:
/// the first such date settles the day.
///
/// A date in the year 2000 is from a clock that was never set, or from firmware that drops the
/// year: then the nearest year is meant. Heart rates are requested by date, so the date with stored
/// heart rates is the right one. If neither date has any, the activity of the day before is
/// requested: the logging of heart rates may hang, or be off, since then. In the end, the totals
/// are requested.
struct DayProbe: Sendable {
    struct Sighting: Sendable {
        let today: CivilDate
        /// The day, counted back from today, whose activity has reported the ring's today.
        let from: DaysAgo
        let asked: Moment
        /// The moment of the reply's end.
        let answered: Moment

        var epoch: ClockEpoch { ClockEpoch(today, asked: asked, answered: answered) }
    }

    private enum Phase {
        /// The activity of a day is requested.
        case activity(DaysAgo)
        /// The heart rates of a date are requested. Without any, those of another date are, if
        /// there is one. The day is that whose activity the reply has reported.
        case heartRates(CivilDate, otherwise: CivilDate?, DaysAgo, RingReply)
        case totals
        /// The probe has ended; it fails only when the link is lost.
        case over(Result<Sighting?, DeviceError>)
    }

    let from: DaysAgo
    let here: CivilDate
    let hasYear: Bool
    private var phase: Phase

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - day: The day whose activity is requested first.
    ///   - here: The likely day of the ring's clock.
    ///   - hasYear: `true` if the ring's clock is known to be within a year of that day.
    init(from day: DaysAgo = .today, here: CivilDate, hasYear: Bool) {
        from = day
        self.here = here
        self.hasYear = hasYear
        phase = Self.phase(day)
    }

    /// The ring's day, or `nil` in it if the day cannot be determined; `nil` before the end of the
    /// probe.
    var result: Result<Sighting?, DeviceError>? {
        if case .over(let result) = phase { result } else { nil }
    }

    var request: RingRequest<ReceivedAnswer>? {
        switch phase {
        case .activity(let day): Self.activity(day).untyped
        case .heartRates(let date, _, _, _): Self.heartRates(date).untyped
        case .totals: Self.totals.untyped
        case .over: nil
        }
    }

    mutating func receive(_ reply: RingReply) {
        switch phase {
        case .activity(let day): phase = next(Self.activity(day).answer(reply), day, reply)
        case .heartRates(let date, let otherwise, let day, let activity):
            let log = (try? Self.heartRates(date).answer(reply).get())?.value
            if log?.samples.contains(where: { $0 != 0 }) == true {
                phase = Self.end(date, day, activity)
            } else if let otherwise {
                phase = .heartRates(otherwise, otherwise: nil, day, activity)
            } else {
                phase = Self.phase(before: day)
            }
        case .totals:
            let day = (try? Self.totals.answer(reply).get())?.value?.day
            if day?.daysAgo == 0, let date = day?.date.date {
                phase = Self.end(date, .today, reply)
            } else {
                phase = .over(.success(nil))
            }
        // A probe that is over has sent no request.
        case .over: assertionFailure("a reply to no request")
        }
    }

    private func next(
        _ answer: Result<Answer<ActivityLog.Reply>, DeviceError>, _ day: DaysAgo, _ reply: RingReply
    ) -> Phase {
        switch answer {
        case .success(.value(let log)):
            guard let date = log.records.first?.date.date else { return Self.phase(before: day) }
            let nearest = date.withYear(near: here)
            return date.isWithoutYear && !hasYear
                ? .heartRates(date, otherwise: nearest, day, reply) : Self.end(nearest, day, reply)
        case .success(.noData): return Self.phase(before: day)
        case .failure(let error) where error.kind == .disconnected: return .over(.failure(error))
        case .success(.refused), .failure: return .totals
        }
    }

    private static func end(_ date: CivilDate, _ day: DaysAgo, _ reply: RingReply) -> Phase {
        guard let today = date.advanced(byDays: Int(day.count)) else { return .totals }
        let sighting = Sighting(
            today: today, from: day, asked: reply.asked, answered: reply.answered)
        return .over(.success(sighting))
    }

    private static func phase(_ day: DaysAgo) -> Phase {
        day.count < daysAsked ? .activity(day) : .totals
    }

    private static func phase(before day: DaysAgo) -> Phase { phase(DaysAgo(day.count &+ 1)) }

    private static func activity(_ day: DaysAgo) -> RingRequest<ActivityLog.Reply> {
        RingRequest(ActivityLog.Request(day: day))
    }

    private static func heartRates(_ date: CivilDate) -> RingRequest<HeartRateLog.Reply> {
        RingRequest(HeartRateLog.Request(day: date))
    }

    private static var totals: RingRequest<DailyTotals.Reply> {
        RingRequest(DailyTotals.Request(day: .today))
    }

    private static var daysAsked: UInt8 { 8 }
}

extension CivilDate {
    /// `true` in the year 2000, which stands for no year: some firmware drops the year.
    var isWithoutYear: Bool { year == 2000 }

    func withYear(near other: CivilDate) -> CivilDate {
        guard isWithoutYear else { return self }
        let candidates = (other.year - 1...other.year + 1).compactMap {
            try? CivilDate(year: $0, month: month, day: day)
        }
        return candidates.min {
            abs($0.daysAgo(from: other)) < abs($1.daysAgo(from: other))
        } ?? self
    }
}
