internal import HaloProtocol
internal import HaloTransport

/// Asks a ring which day its clock shows.
///
/// No request is for that. But a ring dates its activity, and the totals of its today: the first
/// of them that has a date says it.
struct DayProbe: Sendable {
    /// A day that a ring's clock has shown.
    struct Sighting: Sendable {
        /// The ring's today.
        let today: CivilDate
        /// The day whose activity has said so.
        let from: DaysAgo
        /// When the ring was asked.
        let asked: Moment
        /// When it had answered.
        let answered: Moment

        var epoch: ClockEpoch { ClockEpoch(today, asked: asked, answered: answered) }
    }

    private let core: RingCore
    private let asker: RingCore.Asker
    private let here: CivilDate
    private let hasYear: Bool
    private let finish: @Sendable (Result<Sighting?, DeviceError>) -> Void

    /// - Parameters:
    ///   - here: The day that the ring is likely to show.
    ///   - hasYear: `true` when the ring is known to show a day of that year, or nearly.
    init(
        _ core: RingCore, _ asker: RingCore.Asker, here: CivilDate, hasYear: Bool,
        _ finish: @escaping @Sendable (Result<Sighting?, DeviceError>) -> Void
    ) {
        self.core = core
        self.asker = asker
        self.here = here
        self.hasYear = hasYear
        self.finish = finish
    }

    /// Asks for day after day, until one has a date; fails only when the link is lost.
    func ask(from day: DaysAgo = .today) {
        guard day.count < Self.daysAsked else {
            askTotals()
            return
        }
        let asked = core.time.now()
        core.submit(Inquiry(ActivityLog.Request(day: day)), as: asker) { outcome in
            let answered = core.time.now()
            switch outcome.result {
            case .success(.value(let reply)):
                guard let date = reply.records.first?.date.date else {
                    ask(from: DaysAgo(day.count &+ 1))
                    return
                }
                resolve(date) { date in
                    guard let today = date?.advanced(byDays: Int(day.count)) else {
                        askTotals()
                        return
                    }
                    finish(
                        .success(
                            Sighting(today: today, from: day, asked: asked, answered: answered)))
                }
            case .success(.noData): ask(from: DaysAgo(day.count &+ 1))
            case .failure(let error) where error.kind == .disconnected: finish(.failure(error))
            case .success(.refused), .failure: askTotals()
            }
        }
    }

    /// For how many days a ring is asked which date they have.
    private static var daysAsked: UInt8 { 8 }

    private func askTotals() {
        let asked = core.time.now()
        core.submit(Inquiry(DailyTotals.Request(day: .today)), as: asker) { outcome in
            let day = (try? outcome.result.get())?.value?.day
            guard day?.daysAgo == 0, let date = day?.date.date else {
                finish(.success(nil))
                return
            }
            let answered = core.time.now()
            finish(
                .success(Sighting(today: date, from: .today, asked: asked, answered: answered)))
        }
    }

    /// A date of the year 2000 is that of a clock which nobody has set, or of firmware that
    /// forgets the year and means the nearest one. Heart rates are asked for by date: where some
    /// are stored, that is the date. Nothing else tells the two apart; `nil` where none are.
    private func resolve(_ date: CivilDate, _ finish: @escaping @Sendable (CivilDate?) -> Void) {
        let nearest = date.withYear(near: here)
        guard date.isWithoutYear, !hasYear else {
            finish(nearest)
            return
        }
        askWhetherThereAreHeartRates(of: date) { areThere in
            if areThere {
                finish(date)
            } else {
                askWhetherThereAreHeartRates(of: nearest) { finish($0 ? nearest : nil) }
            }
        }
    }

    private func askWhetherThereAreHeartRates(
        of day: CivilDate, _ finish: @escaping @Sendable (Bool) -> Void
    ) {
        core.submit(Inquiry(HeartRateLog.Request(day: day)), as: asker) { outcome in
            let reply = (try? outcome.result.get())?.value
            finish(reply?.samples.contains { $0 != 0 } ?? false)
        }
    }
}

extension CivilDate {
    /// `true` for a date of the year 2000, which firmware that forgets the year says.
    var isWithoutYear: Bool { year == 2000 }

    /// The date in the year in which it is nearest to another, if it has none of its own.
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
