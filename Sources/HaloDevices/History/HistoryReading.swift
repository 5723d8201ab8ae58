internal import HaloProtocol
internal import HaloTransport

/// A long read: what is to be asked next, and which day an answer is of.
///
/// Rings count most days back from their own today, and cannot be asked for the time. A value of
/// the wrong day is worse than none. So:
///
/// 1. **The day of the read** is fixed once, when it begins. That day and those before it are
///    wanted, also where the ring's today becomes another one on the way.
/// 2. **An answer counts when its day is certain.** From asking until the answer's end the ring's
///    clock must have shown one day, at both bounds of what is known of it (``ClockEpoch``), and
///    the day from which the wanted one was counted back. Dates in answers need no such proof.
/// 3. **What is not certain is asked again**, twice at most, and takes the place of what came
///    before. Then it is a failure: ``DeviceError/Kind/uncertainDay``.
/// 4. **A midnight that is near is waited out** where it is known when it comes.
/// 5. **A clock that was not set is not believed.** The ring is asked for its day first and last:
///    if it shows the same day, it did so in between. Where a ring says no day, only what has dates
///    of its own counts; its times are taken to be what the app assumes.
/// 6. **A day that contradicts a clock that was set** means that somebody else has set it since.
///    What has come is dropped, and the read begins anew with the day that the ring says.
struct HistoryReading: Sendable {
    /// What is to be done next.
    enum Next: Sendable {
        /// Ask the ring for its day, which is likely to be `here`.
        case askDay(from: DaysAgo, here: CivilDate, hasYear: Bool)
        /// Ask for a part.
        case ask(HistoryStep, HistoryAim)
        /// Wait until a moment.
        case wait(until: Moment)
        /// Nothing: the history is complete.
        case end
    }

    /// What has come of it.
    enum Event: Sendable {
        case day(Result<DayProbe.Sighting?, DeviceError>)
        case part(HistoryPart, HistoryAim, asked: Moment, answered: Moment)
        case waited
    }

    private enum Phase {
        case opening, asking, closing, over
    }

    /// What the bounds of the ring's clock are known from.
    private enum Source {
        /// It was set.
        case setting
        /// The app assumes it.
        case assumption
        /// The days that the ring has said.
        case sightings
    }

    /// An answer whose day is to be found.
    private struct Answered {
        let index: Int
        let part: HistoryPart
        let aim: HistoryAim
        let asked: Moment
        let answered: Moment
    }

    private let steps: [HistoryStep]
    /// The day that the ring has if nothing says another one.
    private let here: CivilDate
    /// `true` when the ring's clock is not the one that is known, but an older one.
    private let isOldClock: Bool
    private var knowledge: RingKnowledge

    private var phase = Phase.opening
    private var source = Source.sightings
    private var epoch: ClockEpoch?
    /// What the app assumes of the clock, as long as nothing contradicts it.
    private var assumption: ClockEpoch?
    /// The day whose activity has last said the ring's today.
    private var sayingDay: DaysAgo?
    private var today: CivilDate?
    private var readAt: CivilDateTime?
    private var queue: [Int] = []
    private var answered: [Answered] = []
    private var settled: [Int: (part: HistoryPart, context: HistoryContext)] = [:]
    private var rounds = 0
    private var beginnings = 0
    private var waits = 0
    private var stepsDone = 0
    private var progress = FIFO<HistoryProgress>()

    private static var mostRounds: Int { 3 }
    private static var mostBeginnings: Int { 3 }
    private static var mostWaits: Int { 8 }
    /// How long a request is taken to need: a midnight that is nearer is waited out.
    private static var headroom: Duration { .seconds(5) }

    /// A read of a ring with the clock that is known of it.
    init(_ plan: HistoryPlan, _ knowledge: RingKnowledge, _ wallClock: WallClock, at now: Moment) {
        steps = plan.steps
        self.knowledge = knowledge
        here = knowledge.clockReading(wallClock, now: now).date
        isOldClock = false
        begin(wallClock, at: now)
    }

    /// A read of a ring with an older clock, of which no more is known than a day that the ring
    /// has said, if that.
    init(
        _ plan: HistoryPlan, _ knowledge: RingKnowledge, oldClockOn sighting: DayProbe.Sighting?,
        here: CivilDate
    ) {
        steps = plan.steps
        self.knowledge = knowledge
        self.here = here
        isOldClock = true
        sayingDay = sighting?.from
        begin(.asking, .sightings, sighting?.epoch)
    }

    private mutating func begin(_ phase: Phase, _ source: Source, _ epoch: ClockEpoch?) {
        self.phase = phase
        self.source = source
        self.epoch = epoch
        assumption = isAssumed ? epoch : nil
        today = nil
        readAt = nil
        queue = Array(steps.indices)
        answered = []
        settled = [:]
        rounds = 0
        beginnings += 1
    }

    /// Begins with the clock as it is known.
    private mutating func begin(_ wallClock: WallClock, at now: Moment) {
        let (epoch, isProven) = knowledge.clockEpoch(wallClock, now: now)
        sayingDay = nil
        begin(isProven ? .asking : .opening, isProven ? .setting : .assumption, epoch)
    }

    /// Takes in what is known of the ring now: its clock may have been set meanwhile.
    mutating func update(_ new: RingKnowledge, _ wallClock: WallClock, at now: Moment) {
        let isSame = new.clockGeneration == knowledge.clockGeneration
        knowledge = new
        guard !isSame, !isOldClock, beginnings < Self.mostBeginnings else { return }
        let (epoch, isProven) = new.clockEpoch(wallClock, now: now)
        if source == .setting, isProven, let both = self.epoch?.intersection(epoch) {
            self.epoch = both
        } else {
            begin(wallClock, at: now)
        }
    }

    /// `true` while nothing but the app says which day the ring has.
    private var isAssumed: Bool { source == .assumption }

    /// `true` when the times that the ring's clock shows are those that are known of it.
    private var knowsTime: Bool { source == .setting || assumption != nil }

    /// All that has come, on the calendar.
    var history: RingHistory {
        var history = RingHistory(
            today: today ?? here, readAt: knowsTime ? readAt : nil,
            secondsFromUTC: knowsTime ? knowledge.clock.secondsFromUTC : nil)
        for (index, step) in steps.enumerated() {
            guard let (part, context) = settled[index] else { continue }
            history.take(part, of: step, context)
        }
        history.sort()
        return history
    }
}

/// What is to be done.
extension HistoryReading {
    /// What is to be done next.
    mutating func next(_ wallClock: WallClock, at now: Moment) -> Next {
        while true {
            switch phase {
            case .opening: return askDay(now)
            case .asking:
                if let request = nextRequest(wallClock, now) { return request }
                phase = .closing
            case .closing:
                if source == .sightings, sayingDay != nil, !answered.allSatisfy(isCertain) {
                    return askDay(now)
                }
                settle()
            case .over: return .end
            }
        }
    }

    /// How far it has come: the next step that has ended.
    mutating func nextProgress() -> HistoryProgress? { progress.popFirst() }

    private func askDay(_ now: Moment) -> Next {
        .askDay(
            from: sayingDay ?? .today, here: epoch?.firstDay(at: now) ?? here,
            hasYear: sayingDay != nil)
    }

    private mutating func nextRequest(_ wallClock: WallClock, _ now: Moment) -> Next? {
        while let index = queue.first {
            let step = steps[index]
            if !isWorthAsking(step) {
                endFirst(.unsupported)
            } else if let moment = midnightToWaitOut(step, now) {
                waits += 1
                return .wait(until: moment)
            } else if let aim = aim(step, wallClock, now) {
                return .ask(step, aim)
            } else {
                endFirst(.failed(DeviceError(.uncertainDay)))
            }
        }
        return nil
    }

    /// `true` while the ring has not refused a kind.
    private func isWorthAsking(_ step: HistoryStep) -> Bool {
        let isRefused = settled.contains { index, settled in
            guard case .unsupported = settled.part else { return false }
            return steps[index].kind == step.kind
        }
        if isRefused { return false }
        let capabilities = knowledge.capabilities
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

    private func midnightToWaitOut(_ step: HistoryStep, _ now: Moment) -> Moment? {
        guard waits < Self.mostWaits, step.dating != .dates || today == nil, let epoch,
            epoch.isNarrow
        else { return nil }
        let end = now + Self.headroom
        return epoch.day(from: now, to: end) == nil ? epoch.lastDayIsCertain(at: end) : nil
    }

    /// What a step is to bring; `nil` where that cannot be said in days before the ring's today.
    private mutating func aim(
        _ step: HistoryStep, _ wallClock: WallClock, _ now: Moment
    ) -> HistoryAim? {
        let ringToday = epoch?.firstDay(at: now)
        guard ringToday != nil || step.dating == .dates else { return nil }
        let today = self.today ?? ringToday ?? here
        if self.today == nil {
            self.today = today
            readAt = knowledge.clockReading(wallClock, now: now)
        }
        guard let day = today.daysEarlier(step.day?.count ?? 0),
            let count = UInt8(exactly: day.daysAgo(from: ringToday ?? today))
        else { return nil }
        return HistoryAim(
            today: ringToday ?? today, isAssumed: isAssumed, day: day, daysAgo: DaysAgo(count),
            now: knowsTime ? knowledge.clockReading(wallClock, now: now) : nil,
            dialect: knowledge.dialect)
    }
}

/// What has come of it.
extension HistoryReading {
    /// Takes in what has come of what was to be done.
    mutating func take(_ event: Event) {
        switch event {
        case .waited: break
        case .day(let result):
            let wasClosing = phase == .closing
            phase = .asking
            guard case .success(let sighting?) = result else {
                if wasClosing { settle() }
                return
            }
            if see(sighting), wasClosing { settle() }
        case .part(let part, let aim, let asked, let answered):
            take(part, aim, asked, answered)
        }
    }

    /// Ends the read before all has come: an answer counts if its day is certain by now, and the
    /// rest has timed out.
    mutating func giveUp() {
        rounds = Self.mostRounds
        settle()
        while !queue.isEmpty { endFirst(.failed(DeviceError(.timedOut))) }
    }

    private mutating func take(
        _ part: HistoryPart, _ aim: HistoryAim, _ asked: Moment, _ answered: Moment
    ) {
        guard let index = queue.first else { return }
        switch part {
        case .failed, .unsupported:
            endFirst(part)
        case .nothing, .some:
            queue.removeFirst()
            self.answered.append(
                Answered(
                    index: index, part: part, aim: aim, asked: asked, answered: answered))
            noteProgress(steps[index])
        }
        guard let today = part.today else { return }
        _ = see(
            DayProbe.Sighting(today: today, from: aim.daysAgo, asked: asked, answered: answered))
    }

    /// The first step of the queue has ended with no answer to date.
    private mutating func endFirst(_ part: HistoryPart) {
        guard let index = queue.first else { return }
        queue.removeFirst()
        settled[index] = (part, context(today ?? here, today ?? here, now: nil))
        noteProgress(steps[index])
    }

    private mutating func noteProgress(_ step: HistoryStep) {
        let count = settled.count + answered.count
        guard count > stepsDone else { return }
        stepsDone = count
        progress.append(
            HistoryProgress(
                step: count, count: steps.count, kind: step.kind,
                daysAgo: step.day.map { Int($0.count) }))
    }

    /// Takes in a day that the ring has said; `false` when the read has begun anew for it.
    private mutating func see(_ sighting: DayProbe.Sighting) -> Bool {
        sayingDay = sighting.from
        assumption = assumption?.intersection(sighting.epoch)
        if isAssumed {
            source = .sightings
            epoch = sighting.epoch
        } else if let both = epoch?.intersection(sighting.epoch) {
            epoch = both
        } else if beginnings < Self.mostBeginnings {
            begin(.asking, .sightings, sighting.epoch)
            return false
        } else {
            epoch = nil
            source = .sightings
        }
        return true
    }

    /// Puts aside the answers whose day is certain, and asks for the others again.
    private mutating func settle() {
        rounds += 1
        for answer in answered {
            if isCertain(answer) {
                let ringToday = day(of: answer) ?? answer.aim.today
                let context = context(ringToday, answer.aim.day, now: answer.aim.now)
                settled[answer.index] = (answer.part, context)
            } else if rounds < Self.mostRounds, !isAssumed {
                queue.append(answer.index)
            } else {
                let context = context(answer.aim.today, answer.aim.day, now: nil)
                let error = answer.part.error ?? DeviceError(.uncertainDay)
                settled[answer.index] = (.failed(error), context)
            }
        }
        answered = []
        phase = queue.isEmpty ? .over : .asking
    }

    /// The ring's today from asking until the answer's end, where it is certain.
    private func day(of answer: Answered) -> CivilDate? {
        if let today = answer.part.today { return today }
        return isAssumed ? nil : epoch?.day(from: answer.asked, to: answer.answered)
    }

    private func isCertain(_ answer: Answered) -> Bool {
        if isAssumed, case .nothing = answer.part { return true }
        return switch steps[answer.index].dating {
        case .dates: true
        case .today: day(of: answer) == today
        case .daysAgo:
            day(of: answer)?.daysEarlier(answer.aim.daysAgo.count) == answer.aim.day
        case .severalDaysAgo: day(of: answer) != nil
        }
    }

    private func context(
        _ ringToday: CivilDate, _ day: CivilDate, now: CivilDateTime?
    ) -> HistoryContext {
        HistoryContext(
            today: ringToday, day: day, now: now, clocks: knowsTime ? knowledge.clocks : nil,
            dialect: knowledge.dialect)
    }
}

/// A long read with all that it asks, one request at a time: what to do next is a value, and so is
/// what came of it. Whoever does it may be a task, or the preparation of a link.
struct HistoryRun: Sendable {
    /// What is to be done.
    enum Wish: Sendable {
        /// Ask for something.
        case ask(AnsweredRequest<Answer>)
        /// Wait until a moment.
        case wait(until: Moment)
    }

    /// What came of it.
    enum Answer: Sendable {
        case day(DayProbe.Answer)
        case part(HistoryPart)
        case sleep(SleepQuestions.Answer)
        case waited
    }

    /// What is being asked.
    private enum Step {
        case day(DayProbe)
        case part(AnsweredRequest<HistoryPart>, HistoryAim)
        case sleep(SleepQuestions, HistoryAim, asked: Moment?)
    }

    var reading: HistoryReading
    private var step: Step?
    private var sleepForm: SleepRequestForm?
    private var hasBegun = false
    /// Why there was no link to begin with.
    private(set) var linkError: DeviceError?

    init(_ reading: HistoryReading) { self.reading = reading }

    /// What is to be done next; `nil` when the history is complete.
    mutating func next(
        _ knowledge: inout RingKnowledge, _ wallClock: WallClock, at now: Moment
    ) -> Wish? {
        if let sleepForm { knowledge.sleepForm = sleepForm }
        while true {
            if let request { return .ask(request) }
            if case .sleep(let questions, let aim, let asked)? = step {
                end(.part(questions.part ?? .unsupported, aim, asked: asked ?? now, answered: now))
            }
            reading.update(knowledge, wallClock, at: now)
            switch reading.next(wallClock, at: now) {
            case .end: return nil
            case .wait(let moment): return .wait(until: moment)
            case .askDay(let day, let here, let hasYear):
                step = .day(DayProbe(from: day, here: here, hasYear: hasYear))
            case .ask(let part, let aim):
                switch part.question {
                case .request(let request): step = .part(request(aim), aim)
                case .sleep:
                    let form = knowledge.sleepForm
                    step = .sleep(
                        SleepQuestions(aim.dialect, answeredBefore: form), aim, asked: nil)
                }
            }
        }
    }

    private var request: AnsweredRequest<Answer>? {
        switch step {
        case .day(let probe): probe.request?.map { .day($0) }
        case .part(let request, _): request.map { .part($0) }
        case .sleep(let questions, _, _): questions.request?.map { .sleep($0) }
        case nil: nil
        }
    }

    /// Takes in what came of what was to be done.
    mutating func take(_ answer: TimedAnswer<Answer>) {
        switch (answer.answer, step) {
        case (.day(let reply), .day(var probe)):
            probe.take(TimedAnswer(answer: reply, asked: answer.asked, answered: answer.answered))
            step = .day(probe)
            if let result = probe.result { end(.day(result)) }
        case (.part(let part), .part(_, let aim)):
            end(.part(part, aim, asked: answer.asked, answered: answer.answered))
        case (.sleep(let reply), .sleep(var questions, let aim, let asked)):
            questions.take(reply)
            sleepForm = questions.answeredForm ?? sleepForm
            let asked = asked ?? answer.asked
            step = .sleep(questions, aim, asked: asked)
            if let part = questions.part {
                end(.part(part, aim, asked: asked, answered: answer.answered))
            }
        case (.waited, _): reading.take(.waited)
        case (.day, _), (.part, _), (.sleep, _): break
        }
    }

    private mutating func end(_ event: HistoryReading.Event) {
        step = nil
        if !hasBegun { linkError = event.linkError }
        hasBegun = true
        reading.take(event)
    }
}

extension HistoryReading.Event {
    /// Why there is no link, if that is what came of it.
    fileprivate var linkError: DeviceError? {
        switch self {
        case .day(.failure(let error)), .part(.failed(let error), _, _, _):
            error.kind == .disconnected ? error : nil
        case .day, .part, .waited: nil
        }
    }
}
