import Testing

@testable import HaloProtocol

/// A session with its effects, driven by a script of the app's and the ring's actions.
struct SessionDriver {
    private(set) var session: RingSession
    private(set) var now = Moment(microseconds: 1_000_000)
    /// The writes that were not drained yet.
    private var written: [Frame] = []
    private var records: [BigDataFrame] = []
    private(set) var lastWrite: WriteNumber?
    private var events: [RingSession.Event] = []
    private var reports: [StreamReport] = []
    private(set) var completions: [RequestNumber: Completion] = [:]
    /// The number of requests that ended more than once.
    private(set) var repeatedEnds = 0

    init(_ change: (inout SessionRules) -> Void = { _ in }) {
        var rules = SessionRules()
        change(&rules)
        session = RingSession(rules)
    }

    /// Performs an action of the app.
    mutating func app<Result>(_ body: (inout RingSession, Moment) -> Result) -> Result {
        let result = body(&session, now)
        drain()
        return result
    }

    /// Sends frames from the ring.
    mutating func ring(_ frames: Frame...) {
        ring(frames)
    }

    mutating func ring(_ frames: [Frame]) {
        for frame in frames {
            session.receive(Array(frame.bytes), on: .uart, at: now)
            drain()
        }
    }

    /// Sends records from the ring, each in notifications of at most 244 bytes.
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

    /// Sends any bytes from the ring.
    mutating func ring(bytes: [UInt8], on channel: RingChannel = .uart) {
        session.receive(bytes, on: channel, at: now)
        drain()
    }

    /// Advances time, with a tick at every deadline.
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

    /// Advances time without a tick.
    mutating func sleep(_ duration: Duration) { now = now + duration }

    mutating func drainWrites() -> [Frame] {
        defer { written = [] }
        return written
    }

    mutating func drainRecords() -> [BigDataFrame] {
        defer { records = [] }
        return records
    }

    mutating func drainEvents() -> [RingSession.Event] {
        defer { events = [] }
        return events
    }

    mutating func drainReports() -> [StreamReport] {
        defer { reports = [] }
        return reports
    }

    /// Fails the last write.
    mutating func failLastWrite(_ location: SourceLocation = #_sourceLocation) throws {
        fail(try #require(lastWrite, "nothing was written", sourceLocation: location))
    }

    /// Fails a write.
    mutating func fail(_ write: WriteNumber) {
        app { $0.writeFailed(write, at: $1) }
    }

    /// The completion of a request, or `nil` if it has not ended.
    func completion<Value>(_ pending: PendingRequest<Value>) -> Completion? {
        completions[pending.number]
    }

    /// The answer to a request that has ended.
    func answer<Value>(
        _ pending: PendingRequest<Value>, _ location: SourceLocation = #_sourceLocation
    ) throws -> Answer<Value> {
        try pending.answer(
            try #require(completions[pending.number], "not ended", sourceLocation: location))
    }

    /// The reason why a request has no answer.
    func failure<Value>(_ pending: PendingRequest<Value>) -> SessionError.Kind? {
        completions[pending.number]?.error?.kind
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

/// A day of heart rates with the same value in each slot.
func heartRateLog(_ day: CivilDate, sample: UInt8 = 60) throws -> HeartRateLog.Reply {
    try HeartRateLog.Reply(
        day: HeartRateLog.Day(time: CivilDateTime(day)), minutesPerSample: 5,
        samples: [UInt8](repeating: sample, count: 288))
}
