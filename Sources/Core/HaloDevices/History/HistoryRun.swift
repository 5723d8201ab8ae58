internal import HaloProtocol
internal import HaloTransport

/// A long read, one request at a time.
///
/// Actions are values, so that both a task and the preparation of a link can run it.
struct HistoryRun: Sendable {
    enum Action: Sendable {
        case ask(RingRequest<ReceivedAnswer>)
        case wait(until: Moment)
    }

    private enum Step {
        case day(DayProbe)
        case part(HistoryRequests, HistoryAim, asked: Moment?)
    }

    var reading: HistoryReading
    private var step: Step?
    private var sleepForm: SleepRequestForm?
    private var hasBegun = false
    /// The error of the first request if there was no link; otherwise `nil`.
    private(set) var linkError: DeviceError?

    init(_ reading: HistoryReading) { self.reading = reading }

    /// Returns the next action; `nil` when the history is complete.
    mutating func next(
        _ knowledge: inout RingKnowledge, _ wallClock: WallClock, at now: Moment
    ) -> Action? {
        if let sleepForm { knowledge.sleepForm = sleepForm }
        if let sighting = reading.nextSighting(of: knowledge.clockGeneration) {
            knowledge.sighting = sighting
        }
        while true {
            if let request { return .ask(request) }
            // The ring understands no request for sleep.
            if case .part(_, let aim, _)? = step {
                end(.part(.unsupported, aim, asked: now, answered: now))
            }
            reading.update(knowledge, wallClock, at: now)
            switch reading.next(wallClock, at: now) {
            case .end: return nil
            case .wait(let moment): return .wait(until: moment)
            case .askDay(let day, let here, let hasYear):
                step = .day(DayProbe(from: day, here: here, hasYear: hasYear))
            case .ask(let part, let aim):
                step = .part(part.requests(aim, knowledge.sleepForm), aim, asked: nil)
            }
        }
    }

    private var request: RingRequest<ReceivedAnswer>? {
        switch step {
        case .day(let probe): probe.request
        case .part(let requests, _, _): requests.request
        case nil: nil
        }
    }

    mutating func receive(_ reply: RingReply) {
        switch step {
        case .day(var probe):
            probe.receive(reply)
            step = .day(probe)
            if let result = probe.result { end(.day(result)) }
        case .part(var requests, let aim, let asked):
            let part = requests.receive(reply)
            sleepForm = requests.answeredForm ?? sleepForm
            let asked = asked ?? reply.asked
            step = .part(requests, aim, asked: asked)
            if let part { end(.part(part, aim, asked: asked, answered: reply.answered)) }
        // Each step ends with its own reply.
        case nil: assertionFailure("a reply to no request")
        }
    }

    private mutating func end(_ event: HistoryReading.Event) {
        step = nil
        if !hasBegun { linkError = event.linkError }
        hasBegun = true
        reading.receive(event)
    }
}
