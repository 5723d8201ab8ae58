internal import HaloProtocol
internal import HaloTransport

/// The state machine of a long read: the next request, and the day to which a reply belongs.
///
/// Actions are values, so that both a task and the preparation of a link can perform them.
///
/// Rings count most days back from their own today, and have no request for the time. A value of
/// the wrong day is worse than none. So:
///
/// 1. **The day of the read** is fixed once, when it begins. That day and those before it are
///    wanted, even if the ring's today changes during the read.
/// 2. **A reply counts if its day is certain.** From the request until the end of the reply, the
///    ring's clock must have shown one day, at both bounds of its epoch (``ClockEpoch``): the day
///    from which the wanted one was counted back. Dates in replies need no such proof.
/// 3. **A request whose day is not certain is repeated**, twice at most; the later reply replaces
///    the earlier one. After that it is a failure: ``DeviceError/Kind/uncertainDay``.
/// 4. **A near midnight is waited for**, if its time is known.
/// 5. **A clock that was not set is not trusted.** The ring's day is requested first and last: if
///    both are the same, so were all days in between. If the ring reports no day, only replies with
///    dates count, and their times are assumed to be of the app's zone.
/// 6. **A day that contradicts a clock that was set** means that another program has set it since.
///    All replies are dropped, and the read begins anew with the day that the ring reports.
/// 7. **A refused request is sent once more.** Refused twice, a day has failed if another one of
///    its log was answered. A kind without any answer is not supported.
/// 8. **Of an older clock all is kept**, also values of days that are not wanted: they cannot be
///    read again.
/// 9. **A day that rings are not expected to hold** is requested only if the day after it was
///    answered.
struct HistoryReading: Sendable {
    enum Action: Sendable {
        case ask(RingRequest<ReceivedAnswer>)
        case wait(until: Moment)
    }

    /// A step under way, with one request or several.
    enum Step: Sendable {
        case day(DayProbe)
        case part(HistoryRequests, HistoryContext, asked: Moment?)

        var request: RingRequest<ReceivedAnswer>? {
            switch self {
            case .day(let probe): probe.request
            case .part(let requests, _, _): requests.request
            }
        }
    }

    private enum Phase {
        case opening, asking, closing, over
    }

    private enum Source {
        case setting
        case assumption
        case sightings
    }

    private struct Answered {
        let index: Int
        let part: HistoryPart
        let aim: HistoryContext
        let asked: Moment
        let answered: Moment
    }

    private let plan: HistoryPlan
    private var steps: [HistoryStep] { plan.steps }
    /// The ring's day, as assumed until a reply names it.
    private let here: CivilDate
    private var expected: ExpectedTime
    /// `true` if the read uses a clock from before the known one.
    private let isOldClock: Bool
    private var knowledge: RingKnowledge

    private var phase = Phase.opening
    private var source = Source.sightings
    private var epoch: ClockEpoch?
    /// The clock as assumed by the app; narrowed by reported days, and `nil` after a contradiction.
    private var assumption: ClockEpoch?
    /// The day whose activity was the latest to report the ring's today.
    private var sayingDay: DaysAgo?
    /// The ring's day at the first request, and the time of its clock.
    private var begun: (today: CivilDate, readAt: CivilDateTime?)?
    /// The latest day that the ring has reported.
    private var sighting: DayProbe.Sighting?
    /// A reported day that ``next(_:_:at:)`` has not noted yet.
    private var newSighting: DayProbe.Sighting?
    private var queue: [Int] = []
    /// The steps that were refused once.
    private var refused: Set<Int> = []
    private var answeredKinds: Set<HistoryKind> = []
    private var answered: [Answered] = []
    private var settled: [Int: (part: HistoryPart, context: HistoryContext)] = [:]
    private var rounds = 0
    private var beginnings = 0
    private var waits = 0
    private var lastProgress: HistoryProgress?
    /// The steps that were requested, or are to be.
    private var requested: Set<Int> = []
    private var progress = Queue<HistoryProgress>()
    private(set) var step: Step?
    private var sleepForm: SleepRequestForm?
    private var hasBegun = false
    /// The error of the first step if there was no link; otherwise `nil`.
    private(set) var linkError: DeviceError?

    private static var mostRounds: Int { 3 }
    private static var mostBeginnings: Int { 3 }
    private static var mostWaits: Int { 8 }
    /// The assumed length of a request: if midnight is nearer, the read waits for it.
    private static var headroom: Duration { .seconds(5) }

    init(_ plan: HistoryPlan, _ knowledge: RingKnowledge, _ wallClock: WallClock, at now: Moment) {
        self.plan = plan
        self.knowledge = knowledge
        here = knowledge.clockReading(wallClock, now: now).date
        expected = ExpectedTime(knowledge.clock, wallClock, at: now)
        isOldClock = false
        startReading(wallClock, at: now)
    }

    /// Creates a read of a ring with an older clock, of which at most one reported day is known.
    init(
        _ plan: HistoryPlan, _ knowledge: RingKnowledge, oldClockOn sighting: DayProbe.Sighting?,
        expected: ExpectedTime
    ) {
        self.plan = plan
        self.knowledge = knowledge
        self.expected = expected
        here = expected.time.date
        self.sighting = sighting
        isOldClock = true
        sayingDay = sighting?.from
        startRequests(.asking, .sightings, sighting?.epoch)
    }

    private mutating func startRequests(_ phase: Phase, _ source: Source, _ epoch: ClockEpoch?) {
        self.phase = phase
        self.source = source
        self.epoch = epoch
        assumption = isAssumed ? epoch : nil
        begun = nil
        queue = Array(steps.indices)
        requested = Set(queue.filter { plan.condition(of: $0) == nil })
        refused = []
        answered = []
        settled = [:]
        rounds = 0
        beginnings += 1
    }

    private mutating func startReading(_ wallClock: WallClock, at now: Moment) {
        let (epoch, isProven) = knowledge.clockEpoch(wallClock, now: now)
        expected = ExpectedTime(knowledge.clock, wallClock, at: now)
        sayingDay = nil
        sighting = nil
        startRequests(isProven ? .asking : .opening, isProven ? .setting : .assumption, epoch)
    }

    /// Updates the knowledge of the ring. The read begins anew if the clock has been set
    /// differently.
    private mutating func update(_ new: RingKnowledge, _ wallClock: WallClock, at now: Moment) {
        let isSame = new.clockGeneration == knowledge.clockGeneration
        knowledge = new
        guard !isSame, !isOldClock else { return }
        let (epoch, isProven) = new.clockEpoch(wallClock, now: now)
        let both = self.epoch?.intersection(epoch)
        if source == .setting, isProven, let both {
            self.epoch = both
        } else if both == nil || beginnings < Self.mostBeginnings {
            startReading(wallClock, at: now)
        }
    }

    private var today: CivilDate? { begun?.today }

    private var isAssumed: Bool { source == .assumption }

    /// `true` if the times of the ring's clock are known, or assumed without contradiction.
    private var knowsTime: Bool { source == .setting || assumption != nil }

    var history: RingHistory {
        var history = RingHistory(
            today: today ?? here, readAt: knowsTime ? begun?.readAt : nil,
            secondsFromUTC: knowsTime ? knowledge.clock.secondsFromUTC : nil)
        for (part, context) in steps.indices.compactMap({ settled[$0] }) {
            history.add(part, context)
        }
        history.sort()
        history.clockShift = sighting.flatMap { knowledge.shift(of: $0, from: expected) }
        if knowsTime {
            history.clocks = knowledge.clocks.clocks
            history.uncertainTimes = knowledge.clocks.uncertainTimes.filter { times in
                guard let wantedDays else { return true }
                return times.lowerBound.date <= wantedDays.upperBound
                    && times.upperBound > CivilDateTime(wantedDays.lowerBound)
            }
        }
        return history
    }

    /// The first and the last wanted day; `nil` if all days of a reply are wanted.
    private var wantedDays: ClosedRange<CivilDate>? {
        plan.days.map { days in
            let today = today ?? here
            return Self.day(today, earlierBy: days - 1)...today
        }
    }

    /// Returns a day some days earlier, but not before 1970.
    private static func day(_ day: CivilDate, earlierBy days: UInt8) -> CivilDate {
        day.daysEarlier(days) ?? CivilDateTime(secondsSince1970: 0).date
    }

    // MARK: Requests

    /// Returns the next action; `nil` when the history is complete.
    mutating func next(
        _ known: inout RingKnowledge, _ wallClock: WallClock, at now: Moment
    ) -> Action? {
        if let sleepForm { known.sleepForm = sleepForm }
        if let newSighting, known.clockGeneration == knowledge.clockGeneration {
            known.sighting = newSighting
        }
        newSighting = nil
        while true {
            if let request = step?.request { return .ask(request) }
            // The ring understands no request for sleep.
            if case .part(_, let aim, _)? = step {
                end(.unsupported, aim, asked: now, answered: now)
            }
            update(known, wallClock, at: now)
            switch phase {
            case .opening: askDay(now)
            case .asking where queue.isEmpty: phase = .closing
            case .asking:
                if let moment = beginFirst(wallClock, now) { return .wait(until: moment) }
            case .closing:
                if source == .sightings, sayingDay != nil, !answered.allSatisfy(isCertain) {
                    askDay(now)
                } else {
                    settleAnswers()
                }
            case .over: return nil
            }
        }
    }

    mutating func nextProgress() -> HistoryProgress? { progress.popFirst() }

    /// Begins to request the ring's day, which is likely to be that of its clock.
    private mutating func askDay(_ now: Moment) {
        step = .day(
            DayProbe(
                from: sayingDay ?? .today, here: epoch?.firstDay(at: now) ?? here,
                hasYear: sayingDay != nil))
    }

    /// Begins the first step of the queue, or ends it without a request; returns the moment until
    /// which it has to wait, if it has.
    private mutating func beginFirst(_ wallClock: WallClock, _ now: Moment) -> Moment? {
        guard let index = queue.first else { return nil }
        if let part = answerWithoutRequest(index) {
            requested.remove(index)
            endFirst(part)
        } else if let moment = midnightToWaitOut(steps[index], now) {
            waits += 1
            return moment
        } else if let aim = aim(index, wallClock, now) {
            requested.insert(index)
            step = .part(steps[index].requests(aim, knowledge.sleepForm), aim, asked: nil)
        } else {
            requested.remove(index)
            endFirst(.failed(DeviceError(.uncertainDay)))
        }
        return nil
    }

    /// Returns the outcome of a step that is not worth a request: the ring has refused the kind, or
    /// has reported that it lacks it, or is not likely to hold the day. Otherwise `nil`.
    private func answerWithoutRequest(_ index: Int) -> HistoryPart? {
        let kind = steps[index].kind
        if capability(kind) == false { return .unsupported }
        let isRefused = settled.contains { index, settled in
            guard case .unsupported = settled.part else { return false }
            return steps[index].kind == kind
        }
        if isRefused { return .unsupported }
        guard let condition = plan.condition(of: index) else { return nil }
        let part = settled[condition]?.part ?? answered.first { $0.index == condition }?.part
        return switch part {
        case .some?: nil
        case .failed?: part
        default: .notRequested
        }
    }

    /// The ring's report on a kind of values; `nil` if it reports nothing.
    private func capability(_ kind: HistoryKind) -> Bool? {
        let capabilities = knowledge.capabilities
        return switch kind {
        case .stress: capabilities.stress
        case .heartRateVariability: capabilities.heartRateVariability
        case .bloodOxygen: capabilities.bloodOxygen
        case .temperature: capabilities.temperature
        case .heartRate, .activity, .sleep, .workouts, .totals: nil
        }
    }

    private func midnightToWaitOut(_ step: HistoryStep, _ now: Moment) -> Moment? {
        guard waits < Self.mostWaits, step.dating != .dates || today == nil, let epoch,
            epoch.isNarrow
        else { return nil }
        let end = now + Self.headroom
        return epoch.day(from: now, to: end) == nil ? epoch.lastDayIsCertain(at: end) : nil
    }

    /// Returns the target of a step; `nil` if its day cannot be counted back from the ring's today.
    private mutating func aim(
        _ index: Int, _ wallClock: WallClock, _ now: Moment
    ) -> HistoryContext? {
        let step = steps[index]
        let ringToday = epoch?.firstDay(at: now)
        guard ringToday != nil || step.dating == .dates else { return nil }
        let today = self.today ?? ringToday ?? here
        if begun == nil {
            begun = (today, knowledge.clockReading(wallClock, now: now))
        }
        guard let day = today.daysEarlier(step.day?.count ?? 0),
            0...255 ~= day.daysAgo(from: ringToday ?? today)
        else { return nil }
        return context(
            index, ringToday ?? today, day,
            now: knowsTime ? knowledge.clockReading(wallClock, now: now) : nil)
    }

    // MARK: Replies

    mutating func receive(_ reply: RingReply) {
        switch step {
        case .day(var probe):
            probe.receive(reply)
            step = .day(probe)
            if let result = probe.result { endDay(result) }
        case .part(var requests, let aim, let asked):
            let part = requests.receive(reply)
            sleepForm = requests.answeredForm ?? sleepForm
            let asked = asked ?? reply.asked
            step = .part(requests, aim, asked: asked)
            if let part { end(part, aim, asked: asked, answered: reply.answered) }
        // Each step ends with its own reply.
        case nil: assertionFailure("a reply to no request")
        }
    }

    private mutating func endStep(_ error: DeviceError?) {
        step = nil
        if !hasBegun, error?.kind == .disconnected { linkError = error }
        hasBegun = true
    }

    mutating func endDay(_ result: Result<DayProbe.Sighting?, DeviceError>) {
        let wasClosing = phase == .closing
        phase = .asking
        var goesOn = true
        switch result {
        case .success(let sighting):
            endStep(nil)
            if let sighting { goesOn = see(sighting) }
        case .failure(let error): endStep(error)
        }
        if goesOn, wasClosing { settleAnswers() }
    }

    var hasAnswers: Bool { !answeredKinds.isEmpty }

    /// Ends the read early. Replies count if their days are certain by now; all other steps fail
    /// with the error.
    mutating func giveUp(_ error: DeviceError) {
        rounds = Self.mostRounds
        settleAnswers()
        while !queue.isEmpty { endFirst(.failed(error)) }
    }

    mutating func end(
        _ part: HistoryPart, _ aim: HistoryContext, asked: Moment, answered: Moment
    ) {
        if case .failed(let error) = part { endStep(error) } else { endStep(nil) }
        guard let index = queue.first else { return }
        switch part {
        case .unsupported
        where steps[index].kind != .sleep && refused.insert(index).inserted: return
        case .unsupported where answeredKinds.contains(steps[index].kind):
            endFirst(.failed(DeviceError(.refused)))
        case .failed, .unsupported, .notRequested:
            endFirst(part)
        case .noData, .some:
            answeredKinds.insert(steps[index].kind)
            queue.removeFirst()
            self.answered.append(
                Answered(
                    index: index, part: part, aim: aim, asked: asked, answered: answered))
            if case .some = part, let next = plan.next(after: index) { requested.insert(next) }
            noteProgress(steps[index])
        }
        guard let today = part.today else { return }
        _ = see(
            DayProbe.Sighting(today: today, from: aim.daysAgo, asked: asked, answered: answered))
    }

    /// Ends the first step of the queue without a reply.
    private mutating func endFirst(_ part: HistoryPart) {
        guard let index = queue.first else { return }
        queue.removeFirst()
        let today = today ?? here
        let day = Self.day(today, earlierBy: steps[index].day?.count ?? 0)
        settled[index] = (part, context(index, today, day, now: nil))
        noteProgress(steps[index])
    }

    private mutating func noteProgress(_ step: HistoryStep) {
        guard endedRequests > lastProgress?.step ?? 0 else { return }
        noteProgress(step.kind, step.day.map { Int($0.count) })
    }

    /// Notes the end, if the last steps turned out to be not worth a request.
    private mutating func noteEnd() {
        guard let last = lastProgress, last.step < last.count, endedRequests == requested.count
        else { return }
        noteProgress(last.kind, last.daysAgo)
    }

    private mutating func noteProgress(_ kind: HistoryKind, _ daysAgo: Int?) {
        let new = HistoryProgress(
            step: endedRequests, count: requested.count, kind: kind, daysAgo: daysAgo)
        lastProgress = new
        progress.append(new)
    }

    private var endedRequests: Int {
        settled.keys.count(where: requested.contains) + answered.count
    }

    /// Receives a day reported by the ring; returns `false` if the read begins anew because of it.
    private mutating func see(_ sighting: DayProbe.Sighting) -> Bool {
        sayingDay = sighting.from
        self.sighting = sighting
        newSighting = sighting
        assumption = assumption?.intersection(sighting.epoch)
        if isAssumed {
            source = .sightings
            epoch = sighting.epoch
        } else if let both = epoch?.intersection(sighting.epoch) {
            epoch = both
        } else if beginnings < Self.mostBeginnings {
            startRequests(.asking, .sightings, sighting.epoch)
            return false
        } else {
            epoch = nil
            source = .sightings
        }
        return true
    }

    /// Settles the replies whose day is certain, and queues the other steps again.
    private mutating func settleAnswers() {
        rounds += 1
        for answer in answered {
            if isCertain(answer) {
                let ringToday = day(of: answer) ?? answer.aim.today
                let context = context(
                    answer.index, ringToday, answer.aim.day, now: answer.aim.now)
                settled[answer.index] = (answer.part, context)
            } else if rounds < Self.mostRounds, !isAssumed {
                queue.append(answer.index)
            } else {
                let context = context(
                    answer.index, answer.aim.today, answer.aim.day, now: nil)
                let error = answer.part.error ?? DeviceError(.uncertainDay)
                settled[answer.index] = (.failed(error), context)
            }
        }
        answered = []
        phase = queue.isEmpty ? .over : .asking
        if phase == .over { noteEnd() }
    }

    /// Returns the ring's today from the request until the end of the reply; `nil` if not certain.
    private func day(of answer: Answered) -> CivilDate? {
        if let today = answer.part.today { return today }
        return isAssumed ? nil : epoch?.day(from: answer.asked, to: answer.answered)
    }

    private func isCertain(_ answer: Answered) -> Bool {
        if isAssumed, case .noData = answer.part { return true }
        return switch steps[answer.index].dating {
        case .dates: true
        case .today: day(of: answer) == today
        case .daysAgo:
            day(of: answer)?.daysEarlier(answer.aim.daysAgo.count) == answer.aim.day
        case .severalDaysAgo: day(of: answer) != nil
        }
    }

    private func context(
        _ index: Int, _ ringToday: CivilDate, _ day: CivilDate, now: CivilDateTime?
    ) -> HistoryContext {
        HistoryContext(
            step: steps[index], today: ringToday, isAssumed: isAssumed, day: day,
            wanted: wantedDays, isLimited: !isOldClock, now: now,
            clocks: knowsTime ? knowledge.clocks : nil, dialect: knowledge.dialect)
    }
}
