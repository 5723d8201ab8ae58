import Testing

@testable import HaloProtocol

/// A session and what came of it: a script says what the app and the ring do, and when.
struct SessionDriver {
    private(set) var session: RingSession
    private(set) var now = Moment(microseconds: 1_000_000)
    /// What was written since it was looked at.
    private var written: [Frame] = []
    private var records: [BigDataFrame] = []
    private(set) var lastWrite: WriteNumber?
    private var events: [RingEvent] = []
    private var reports: [StreamReport] = []
    private(set) var completions: [TicketNumber: Completion] = [:]
    /// How many requests ended more than once.
    private(set) var repeatedEnds = 0

    init(_ change: (inout SessionRules) -> Void = { _ in }) {
        var rules = SessionRules()
        change(&rules)
        session = RingSession(rules)
    }

    /// Lets the app do something.
    mutating func app<Result>(_ body: (inout RingSession, Moment) -> Result) -> Result {
        let result = body(&session, now)
        drain()
        return result
    }

    /// The ring sends frames, at once.
    mutating func ring(_ frames: Frame...) {
        ring(frames)
    }

    mutating func ring(_ frames: [Frame]) {
        for frame in frames {
            session.receive(Array(frame.bytes), on: .uart, at: now)
            drain()
        }
    }

    /// The ring sends records, each in notifications of at most 244 bytes.
    mutating func ring(_ records: BigDataFrame...) {
        for record in records {
            var rest = record.bytes[...]
            while !rest.isEmpty {
                session.receive(rest.prefix(244), on: .bigData, at: now)
                rest = rest.dropFirst(244)
                drain()
            }
        }
    }

    /// The ring sends bytes, whatever they are.
    mutating func ring(bytes: [UInt8], on channel: RingChannel = .uart) {
        session.receive(bytes, on: channel, at: now)
        drain()
    }

    /// Time passes; the session is called when it wants to be.
    mutating func wait(_ duration: Duration) {
        let end = now + duration
        while let deadline = session.deadline, deadline <= end {
            now = max(now, deadline)
            session.tick(at: now)
            if let next = session.deadline { #expect(next > now, "a deadline lies in the past") }
            drain()
        }
        now = end
        session.tick(at: now)
        drain()
    }

    /// Time passes, and the session is not called at all.
    mutating func sleep(_ duration: Duration) { now = now + duration }

    mutating func takeWritten() -> [Frame] {
        defer { written = [] }
        return written
    }

    mutating func takeRecords() -> [BigDataFrame] {
        defer { records = [] }
        return records
    }

    mutating func takeEvents() -> [RingEvent] {
        defer { events = [] }
        return events
    }

    mutating func takeReports() -> [StreamReport] {
        defer { reports = [] }
        return reports
    }

    /// What was written last could not be.
    mutating func failLastWrite(_ location: SourceLocation = #_sourceLocation) throws {
        fail(try #require(lastWrite, "nothing was written", sourceLocation: location))
    }

    /// A write could not be carried out.
    mutating func fail(_ write: WriteNumber) {
        app { $0.writeFailed(write, at: $1) }
    }

    /// How a request ended; nothing if it has not.
    func completion<Value>(_ ticket: Ticket<Value>) -> Completion? {
        completions[ticket.number]
    }

    /// The answer to a request that must have ended.
    func answer<Value>(
        _ ticket: Ticket<Value>, _ location: SourceLocation = #_sourceLocation
    ) throws -> Answer<Value> {
        try ticket.answer(
            try #require(completions[ticket.number], "not ended", sourceLocation: location))
    }

    /// Why a request has no answer.
    func failure<Value>(_ ticket: Ticket<Value>) -> SessionError.Kind? {
        completions[ticket.number]?.error?.kind
    }

    private mutating func drain() {
        while let effect = session.nextEffect() {
            switch effect {
            case .write(let frame, let number):
                written.append(frame)
                lastWrite = number
            case .writeRecord(let record, let number):
                records.append(record)
                lastWrite = number
            case .event(let event): events.append(event)
            case .stream(_, let report): reports.append(report)
            case .finished(let completion):
                if completions[completion.number] != nil { repeatedEnds += 1 }
                completions[completion.number] = completion
            }
        }
    }
}

extension Battery.Reply {
    static func level(_ percent: UInt8) -> Frame {
        Battery.Reply(percent: percent, charging: .discharging).frame
    }
}

/// A day of heart rates, each slot with the same value.
func heartRateLog(_ day: CivilDate, sample: UInt8 = 60) throws -> HeartRateLog.Reply {
    try HeartRateLog.Reply(
        day: HeartRateLog.Day(time: CivilDateTime(day)), minutesPerSample: 5,
        samples: [UInt8](repeating: sample, count: 288))
}
