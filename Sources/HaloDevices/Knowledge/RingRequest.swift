internal import HaloProtocol
internal import HaloTransport

/// A request with the type of its reply, before a session sends it.
struct RingRequest<Value: Sendable>: Sendable {
    /// The name of the command.
    let command: FieldName
    /// The service of the request.
    let channel: RingChannel
    /// Sends the request in a session.
    let send: @Sendable (inout RingSession, Moment) -> PendingRequest<Value>

    /// Returns the outcome of a request that has ended.
    private func outcome(_ pending: PendingRequest<Value>, _ ended: EndedRequest) -> Outcome<Value>
    {
        do throws(SessionError) {
            return Outcome(result: .success(try pending.answer(ended.completion)))
        } catch {
            let error = DeviceError(
                error, command: command, bleError: ended.writeError, reason: ended.reason)
            return Outcome(result: .failure(error), partial: pending.partial(ended.completion))
        }
    }

    /// Returns the request with a function that makes an answer of its outcome.
    func answering<Answer: Sendable>(
        _ answer: @escaping @Sendable (Outcome<Value>) -> Answer
    ) -> AnsweredRequest<Answer> {
        AnsweredRequest(command: command, channel: channel) { session, now in
            let pending = send(&session, now)
            return (pending.number, { answer(outcome(pending, $0)) })
        } refused: { error in
            var error = error
            error.command = command
            return answer(Outcome(result: .failure(error)))
        }
    }
}

/// The outcome of a request.
struct Outcome<Value: Sendable>: Sendable {
    /// The answer, or the error.
    let result: Result<Answer<Value>, DeviceError>
    /// The value of a reply with gaps.
    var partial: Value?
}

/// The end of a request in a session.
struct EndedRequest: Sendable {
    let completion: Completion
    /// The error of the last write, if the write has failed. The value may have reached the ring
    /// all the same.
    let writeError: BLEError?
    /// The reason for the link's end; `nil` if the link is open.
    let reason: DisconnectReason?
}

/// A request of any command, with a function that makes an answer of its outcome.
struct AnsweredRequest<Answer: Sendable>: Sendable {
    typealias Ending = @Sendable (EndedRequest) -> Answer

    /// The name of the command.
    let command: FieldName
    /// The service of the request.
    let channel: RingChannel
    /// Sends the request in a session. Returns its number, and a function that makes an answer of
    /// its end.
    let send: @Sendable (inout RingSession, Moment) -> (RequestNumber, Ending)
    /// Makes an answer of the error of a request that was not sent.
    let refused: @Sendable (DeviceError) -> Answer

    /// Returns the request with its answer transformed.
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

/// An answer with the moments of request and reply.
struct TimedAnswer<Answer: Sendable>: Sendable {
    let answer: Answer
    let asked: Moment
    let answered: Moment
}

extension RingRequest {
    /// Returns the request with a value made of its reply. A refusal, "no data", and a reply
    /// without such a value are errors.
    ///
    /// - Parameter isRefusal: Returns `true` for a reply by which a ring says that it does not have
    ///   the function.
    func requiring<Other: Sendable>(
        _ value: @escaping @Sendable (Value) -> Other?,
        unless isRefusal: @escaping @Sendable (Value) -> Bool = { _ in false }
    ) -> AnsweredRequest<Result<Other, DeviceError>> {
        answering { [command] outcome in
            outcome.result.flatMap { answer in
                switch answer {
                case .value(let reply) where isRefusal(reply):
                    .failure(DeviceError(.notSupported, command: command))
                case .value(let reply):
                    value(reply).map { .success($0) }
                        ?? .failure(DeviceError(.badAnswer, command: command))
                case .noData: .failure(DeviceError(.noData, command: command))
                case .refused: .failure(DeviceError(.notSupported, command: command))
                }
            }
        }
    }
}

extension RingRequest {
    /// Creates a request whose reply is one frame.
    init<Request: RequestPacket>(_ request: Request)
    where
        Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket,
        Value == Request.Owner.Reply
    {
        self.init(command: Request.Owner.name, channel: .uart) { $0.send(request, at: $1) }
    }

    /// Creates a request whose reply has many frames.
    init<Request: RequestPacket>(_ request: Request)
    where Request.Owner: ManyFrameCommand, Value == Request.Owner.Assembly.Reply {
        self.init(command: Request.Owner.name, channel: .uart) { $0.send(request, at: $1) }
    }

    /// Creates a request whose reply is a record.
    init<Request: BigDataRequest>(_ request: Request)
    where Request.Owner: BigDataReplyCommand, Value == Request.Owner.Reply {
        self.init(command: Request.Owner.name, channel: .bigData) { $0.send(request, at: $1) }
    }
}

extension RingRequest where Value == SleepHistory {
    /// Creates a request for nights, and the naps that come with them.
    init(_ request: Sleep.Request) {
        self.init(command: Sleep.name, channel: .bigData) { $0.send(request, at: $1) }
    }
}

extension RingRequest where Value == TemperatureSeries.Reply {
    /// Creates a request for temperatures, whose days come in one record or in several.
    init(_ request: TemperatureSeries.Request) {
        self.init(command: TemperatureSeries.name, channel: .bigData) { $0.send(request, at: $1) }
    }
}

extension RingRequest where Value == WorkoutRecording {
    /// Creates a request for the samples of a workout, in all their records.
    init(_ request: WorkoutDetail.Request) {
        self.init(command: WorkoutDetail.name, channel: .bigData) { $0.send(request, at: $1) }
    }
}

/// The requests that determine the day of a ring's clock.
///
/// Rings have no request for the day. But a ring dates its activity and the totals of its today:
/// the first such date settles the day.
///
/// A date in the year 2000 is from a clock that was never set, or from firmware that drops the
/// year: then the nearest year is meant. Heart rates are requested by date, so the date with stored
/// heart rates is the right one. If neither date has any, the totals are requested.
struct DayProbe: Sendable {
    /// A day that the ring's clock has shown.
    struct Sighting: Sendable {
        /// The ring's today.
        let today: CivilDate
        /// The day, counted back from today, whose activity has reported the ring's today.
        let from: DaysAgo
        /// The moment of the request.
        let asked: Moment
        /// The moment of the reply's end.
        let answered: Moment

        var epoch: ClockEpoch { ClockEpoch(today, asked: asked, answered: answered) }
    }

    /// A ring's reply.
    enum Answer: Sendable {
        case activity(Outcome<ActivityLog.Reply>)
        case totals(Outcome<DailyTotals.Reply>)
        /// `true` if heart rates of a date are stored.
        case heartRates(Bool)
    }

    private enum Phase {
        /// The request for the activity of a day is under way.
        case activity(DaysAgo)
        /// The request for heart rates is under way: first of the date in the year 2000, then of
        /// the date in the nearest year.
        case heartRates(CivilDate, isNearest: Bool, CivilDate, of: TimedDay)
        /// The request for the totals of today is under way.
        case totals
        /// The probe has ended; it fails only when the link is lost.
        case over(Result<Sighting?, DeviceError>)
    }

    /// A requested day, with the moments of request and reply.
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
        phase = Self.asking(day)
    }

    /// The ring's day, or `nil` in it if the day cannot be determined; `nil` before the end of the
    /// probe.
    var result: Result<Sighting?, DeviceError>? {
        if case .over(let result) = phase { result } else { nil }
    }

    /// The next request; `nil` after the last one.
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

    /// Receives the reply to the request.
    mutating func receive(_ answer: TimedAnswer<Answer>) {
        switch (answer.answer, phase) {
        case (.activity(let outcome), .activity(let day)):
            receive(outcome, TimedDay(day: day, asked: answer.asked, answered: answer.answered))
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

    private mutating func receive(_ outcome: Outcome<ActivityLog.Reply>, _ day: TimedDay) {
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

    /// The maximum number of days whose activity is requested.
    private static var daysAsked: UInt8 { 8 }
}

extension CivilDate {
    /// `true` in the year 2000, which stands for no year: some firmware drops the year.
    var isWithoutYear: Bool { year == 2000 }

    /// Returns the date in the year nearest to another date, if the date has no year.
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
