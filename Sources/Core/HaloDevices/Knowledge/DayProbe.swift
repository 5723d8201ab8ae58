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
        case activity(RingRequest<ActivityLog.Reply>, DaysAgo)
        /// The request for the heart rates of a date is under way. Without any, those of another
        /// date are requested, if there is one.
        case heartRates(
            RingRequest<HeartRateLog.Reply>, CivilDate, otherwise: CivilDate?, TimedDay)
        case totals(RingRequest<DailyTotals.Reply>)
        /// The probe has ended; it fails only when the link is lost.
        case over(Result<Sighting?, DeviceError>)
    }

    private struct TimedDay {
        let day: DaysAgo
        let asked: Moment
        let answered: Moment
    }

    private let here: CivilDate
    private let hasYear: Bool
    private var phase: Phase

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - day: The day whose activity is requested first.
    ///   - here: The likely day of the ring's clock.
    ///   - hasYear: `true` if the ring's clock is known to be within a year of that day.
    init(from day: DaysAgo = .today, here: CivilDate, hasYear: Bool) {
        self.here = here
        self.hasYear = hasYear
        phase = Self.askingActivity(day)
    }

    /// The ring's day, or `nil` in it if the day cannot be determined; `nil` before the end of the
    /// probe.
    var result: Result<Sighting?, DeviceError>? {
        if case .over(let result) = phase { result } else { nil }
    }

    var request: RingRequest<ReceivedAnswer>? {
        switch phase {
        case .activity(let request, _): request.untyped
        case .heartRates(let request, _, _, _): request.untyped
        case .totals(let request): request.untyped
        case .over: nil
        }
    }

    mutating func receive(_ reply: RingReply) {
        switch phase {
        case .activity(let request, let day):
            receive(
                request.answer(reply),
                TimedDay(day: day, asked: reply.asked, answered: reply.answered))
        case .heartRates(let request, let date, let otherwise, let day):
            let log = (try? request.answer(reply).get())?.value
            if log?.samples.contains(where: { $0 != 0 }) == true {
                end(date, day)
            } else {
                phase =
                    otherwise.map { Self.askingHeartRates($0, day) }
                    ?? Self.askingActivity(before: day.day)
            }
        case .totals(let request):
            let day = (try? request.answer(reply).get())?.value?.day
            guard day?.daysAgo == 0, let date = day?.date.date else {
                phase = .over(.success(nil))
                return
            }
            end(date, TimedDay(day: .today, asked: reply.asked, answered: reply.answered))
        // A probe that is over has sent no request.
        case .over: assertionFailure("a reply to no request")
        }
    }

    private mutating func receive(
        _ answer: Result<Answer<ActivityLog.Reply>, DeviceError>, _ day: TimedDay
    ) {
        switch answer {
        case .success(.value(let reply)):
            guard let date = reply.records.first?.date.date else {
                phase = Self.askingActivity(before: day.day)
                return
            }
            let nearest = date.withYear(near: here)
            if date.isWithoutYear, !hasYear {
                phase = Self.askingHeartRates(date, otherwise: nearest, day)
            } else {
                end(nearest, day)
            }
        case .success(.noData): phase = Self.askingActivity(before: day.day)
        case .failure(let error) where error.kind == .disconnected: phase = .over(.failure(error))
        case .success(.refused), .failure: phase = Self.askingTotals
        }
    }

    private mutating func end(_ date: CivilDate, _ day: TimedDay) {
        guard let today = date.advanced(byDays: Int(day.day.count)) else {
            phase = Self.askingTotals
            return
        }
        phase = .over(
            .success(
                Sighting(today: today, from: day.day, asked: day.asked, answered: day.answered)))
    }

    private static func askingActivity(_ day: DaysAgo) -> Phase {
        guard day.count < daysAsked else { return askingTotals }
        return .activity(RingRequest(ActivityLog.Request(day: day)), day)
    }

    private static func askingActivity(before day: DaysAgo) -> Phase {
        askingActivity(DaysAgo(day.count &+ 1))
    }

    private static func askingHeartRates(
        _ date: CivilDate, otherwise: CivilDate? = nil, _ day: TimedDay
    ) -> Phase {
        .heartRates(
            RingRequest(HeartRateLog.Request(day: date)), date, otherwise: otherwise, day)
    }

    private static var askingTotals: Phase {
        .totals(RingRequest(DailyTotals.Request(day: .today)))
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
