internal import HaloProtocol
internal import HaloTransport

/// A request with the type of its answer, before a conversation takes it.
struct RingRequest<Value: Sendable>: Sendable {
    /// The command, as programs write it.
    let command: FieldName
    /// The service that it travels on.
    let channel: RingChannel
    /// Puts it in a session's line.
    let send: @Sendable (inout RingSession, Moment) -> Ticket<Value>

    /// What came of it.
    private func outcome(_ ticket: Ticket<Value>, _ ended: EndedRequest) -> Outcome<Value> {
        do throws(SessionError) {
            return Outcome(result: .success(try ticket.answer(ended.completion)))
        } catch {
            let error = DeviceError(
                error, command: command, bleError: ended.writeError, reason: ended.reason)
            return Outcome(result: .failure(error), partial: ticket.partial(ended.completion))
        }
    }

    /// The request, with what is made of its outcome.
    func answering<Answer: Sendable>(
        _ answer: @escaping @Sendable (Outcome<Value>) -> Answer
    ) -> AnsweredRequest<Answer> {
        AnsweredRequest(command: command, channel: channel) { session, now in
            let ticket = send(&session, now)
            return (ticket.number, { answer(outcome(ticket, $0)) })
        } refused: { error in
            var error = error
            error.command = command
            return answer(Outcome(result: .failure(error)))
        }
    }
}

/// What came of a request.
struct Outcome<Value: Sendable>: Sendable {
    /// The answer, or why there is none.
    let result: Result<Answer<Value>, DeviceError>
    /// What can be made of an answer that has gaps.
    var partial: Value?
}

/// How a request has ended in a session.
struct EndedRequest: Sendable {
    let completion: Completion
    /// Why what was written last did not reach the ring, or may not have.
    let writeError: BLEError?
    /// Why the link has ended, if it has.
    let reason: DisconnectReason?
}

/// A request of any command, with the type of what is made of its outcome.
struct AnsweredRequest<Answer: Sendable>: Sendable {
    typealias Ending = @Sendable (EndedRequest) -> Answer

    /// The command, as programs write it.
    let command: FieldName
    /// The service that it travels on.
    let channel: RingChannel
    /// Puts it in a session's line; gives its number, and what makes an answer of its end.
    let send: @Sendable (inout RingSession, Moment) -> (TicketNumber, Ending)
    /// The answer to a request that was not sent.
    let refused: @Sendable (DeviceError) -> Answer

    /// The same, with something else made of the answer.
    func map<Other: Sendable>(
        _ transform: @escaping @Sendable (Answer) -> Other
    ) -> AnsweredRequest<Other> {
        AnsweredRequest<Other>(command: command, channel: channel) { session, now in
            let (number, answer) = send(&session, now)
            return (number, { transform(answer($0)) })
        } refused: {
            transform(refused($0))
        }
    }
}

/// An answer, and how long it took.
struct TimedAnswer<Answer: Sendable>: Sendable {
    let answer: Answer
    let asked: Moment
    let answered: Moment
}

extension RingRequest {
    /// What one frame answers.
    init<Request: RequestPacket>(_ request: Request)
    where
        Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket,
        Value == Request.Owner.Reply
    {
        self.init(command: Request.Owner.name, channel: .uart) { $0.send(request, at: $1) }
    }

    /// What many frames answer.
    init<Request: RequestPacket>(_ request: Request)
    where Request.Owner: ManyFrameCommand, Value == Request.Owner.Assembly.Reply {
        self.init(command: Request.Owner.name, channel: .uart) { $0.send(request, at: $1) }
    }

    /// What a record answers.
    init<Request: BigDataRequest>(_ request: Request)
    where Request.Owner: BigDataReplyCommand, Value == Request.Owner.Reply {
        self.init(command: Request.Owner.name, channel: .bigData) { $0.send(request, at: $1) }
    }
}

extension RingRequest where Value == SleepHistory {
    /// Nights, and the naps that come with them.
    init(_ request: Sleep.Request) {
        self.init(command: Sleep.name, channel: .bigData) { $0.send(request, at: $1) }
    }
}

extension RingRequest where Value == TemperatureSeries.Reply {
    /// Days of temperatures, in one record or in several.
    init(_ request: TemperatureSeries.Request) {
        self.init(command: TemperatureSeries.name, channel: .bigData) { $0.send(request, at: $1) }
    }
}

extension RingRequest where Value == WorkoutRecording {
    /// What was recorded during a workout, all its pieces.
    init(_ request: WorkoutDetail.Request) {
        self.init(command: WorkoutDetail.name, channel: .bigData) { $0.send(request, at: $1) }
    }
}

/// The questions after which it is known which day a ring's clock shows.
///
/// No request is for that. But a ring dates its activity, and the totals of its today: the first
/// of them that has a date says it.
///
/// A date of the year 2000 is that of a clock which nobody has set, or of firmware that forgets the
/// year and means the nearest one. Heart rates are asked for by date: where some are stored, that
/// is the date. Nothing else tells the two apart; where there are none, the totals are asked for.
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

    /// What a ring answers.
    enum Answer: Sendable {
        case activity(Outcome<ActivityLog.Reply>)
        case totals(Outcome<DailyTotals.Reply>)
        /// Whether there are heart rates of a day.
        case heartRates(Bool)
    }

    private enum Phase {
        /// The activity of a day is asked for.
        case activity(DaysAgo)
        /// Heart rates are asked for, of a date without a year and then of the nearest one.
        case heartRates(CivilDate, isNearest: Bool, CivilDate, of: TimedDay)
        /// The totals of today are asked for.
        case totals
        /// All is known that can be; it fails only when the link is lost.
        case over(Result<Sighting?, DeviceError>)
    }

    /// A day that was asked for, and when.
    private struct TimedDay {
        let day: DaysAgo
        let asked: Moment
        let answered: Moment
    }

    private let here: CivilDate
    private let hasYear: Bool
    private var phase: Phase

    /// - Parameters:
    ///   - day: The day whose activity is asked for first.
    ///   - here: The day that the ring is likely to show.
    ///   - hasYear: `true` when the ring is known to show a day of that year, or nearly.
    init(from day: DaysAgo = .today, here: CivilDate, hasYear: Bool) {
        self.here = here
        self.hasYear = hasYear
        phase = Self.asking(day)
    }

    /// The day that the ring shows, once that is known.
    var result: Result<Sighting?, DeviceError>? {
        if case .over(let result) = phase { result } else { nil }
    }

    /// The next question.
    var request: AnsweredRequest<Answer>? {
        switch phase {
        case .activity(let day):
            RingRequest(ActivityLog.Request(day: day)).answering { .activity($0) }
        case .totals: RingRequest(DailyTotals.Request(day: .today)).answering { .totals($0) }
        case .heartRates(let date, let isNearest, let nearest, _):
            RingRequest(HeartRateLog.Request(day: isNearest ? nearest : date)).answering {
                let reply = (try? $0.result.get())?.value
                return .heartRates(reply?.samples.contains { $0 != 0 } ?? false)
            }
        case .over: nil
        }
    }

    /// Takes in the answer.
    mutating func take(_ answer: TimedAnswer<Answer>) {
        switch (answer.answer, phase) {
        case (.activity(let outcome), .activity(let day)):
            take(outcome, TimedDay(day: day, asked: answer.asked, answered: answer.answered))
        case (.totals(let outcome), _):
            let day = (try? outcome.result.get())?.value?.day
            guard day?.daysAgo == 0, let date = day?.date.date else {
                phase = .over(.success(nil))
                return
            }
            end(date, TimedDay(day: .today, asked: answer.asked, answered: answer.answered))
        case (
            .heartRates(let areThere),
            .heartRates(let date, let isNearest, let nearest, let day)
        ):
            if areThere {
                end(isNearest ? nearest : date, day)
            } else {
                phase = isNearest ? .totals : .heartRates(date, isNearest: true, nearest, of: day)
            }
        case (.activity, _), (.heartRates, _): break
        }
    }

    private mutating func take(_ outcome: Outcome<ActivityLog.Reply>, _ day: TimedDay) {
        switch outcome.result {
        case .success(.value(let reply)):
            guard let date = reply.records.first?.date.date else {
                phase = Self.asking(DaysAgo(day.day.count &+ 1))
                return
            }
            let nearest = date.withYear(near: here)
            if date.isWithoutYear, !hasYear {
                phase = .heartRates(date, isNearest: false, nearest, of: day)
            } else {
                end(nearest, day)
            }
        case .success(.noData): phase = Self.asking(DaysAgo(day.day.count &+ 1))
        case .failure(let error) where error.kind == .disconnected: phase = .over(.failure(error))
        case .success(.refused), .failure: phase = .totals
        }
    }

    private mutating func end(_ date: CivilDate, _ day: TimedDay) {
        guard let today = date.advanced(byDays: Int(day.day.count)) else {
            if case .totals = phase { phase = .over(.success(nil)) } else { phase = .totals }
            return
        }
        phase = .over(
            .success(
                Sighting(today: today, from: day.day, asked: day.asked, answered: day.answered)))
    }

    private static func asking(_ day: DaysAgo) -> Phase {
        day.count < daysAsked ? .activity(day) : .totals
    }

    /// For how many days a ring is asked which date they have.
    private static var daysAsked: UInt8 { 8 }
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
