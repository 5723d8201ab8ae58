import Testing

@testable import HaloProtocol

/// An app, a session and a ring in a world where much goes wrong; what must hold all the same.
private struct SessionWorld {
    /// What the app wants to know, and how it sees that it is true.
    private struct Asked {
        let number: TicketNumber
        let opcode: UInt8
        let tag: UInt8
        let check: (Completion) -> Bool
    }

    private var ring: SessionModelRing
    private var session: RingSession
    private var now = Moment.origin
    private var open: [Asked] = []
    private var ended: Set<TicketNumber> = []
    private var quantities: [StreamNumber: RealtimeMeasurement.Quantity] = [:]
    /// Streams of other kinds.
    private var others: Set<StreamNumber> = []
    private var lastStream: StreamNumber?
    private var writeTickets = 0
    private(set) var failures: [String] = []
    private(set) var answers = 0
    private(set) var attempts = 0
    /// Everything that was done and what came of it, a line each.
    private(set) var transcript: [String] = []
    private var lastDeadline: Moment?
    private var lastWrite: WriteNumber?

    /// Whether links end, services change, writes fail and unknown streams are begun as well.
    private let isWild: Bool

    init(seed: UInt64, isWild: Bool = false) {
        self.isWild = isWild
        ring = SessionModelRing(seed: seed)
        var rules = SessionRules()
        rules.queueLimit = 6
        rules.effectLimit = 40
        session = RingSession(rules)
    }

    /// Lets everything happen, then waits until nothing is waited for.
    mutating func run() {
        for _ in 0..<ring.number(4..<24) {
            act()
            pass(.milliseconds(ring.number(0..<2) == 0 ? 5 : ring.number(5..<2500)))
        }
        if let lastStream { session.stop(lastStream, at: now) }
        session.resume(at: now)
        pass(.seconds(300))
        if !open.isEmpty { failures.append("\(open.count) requests never ended") }
        if !quantities.isEmpty { failures.append("\(quantities.count) streams never ended") }
        if !others.isEmpty { failures.append("\(others.count) other streams never ended") }
        if session.deadline != nil { failures.append("something is still waited for") }
        if ring.writes > writeTickets { failures.append("a write was sent twice") }
    }

    private mutating func act() {
        let tag = UInt8(truncatingIfNeeded: open.count + ended.count)
        switch ring.number(0..<(isWild ? 13 : 10)) {
        case 0, 1, 2:
            let ticket = session.send(Battery.Request(), at: now)
            ask(ticket, Battery.opcode, tag) { $0.percent == tag }
        case 3, 4:
            let day = UInt8(ring.number(0..<5))
            let ticket = session.send(StressLog.Request(day: DaysAgo(day)), at: now)
            ask(ticket, StressLog.opcode, tag) { log in
                log.day.count == day
                    && log.samples.allSatisfy { $0 == SessionModelRing.sample(daysAgo: day) }
            }
        case 5:
            let isRead = ring.number(0..<2) == 0
            if !isRead { writeTickets += 1 }
            let request = isRead ? AutoStress.Request.read : .write(ToggleSetting(.on))
            let ticket = session.send(request, at: now)
            ask(ticket, AutoStress.opcode, tag) { ($0.reading != nil) == isRead }
        case 6:
            let ticket = session.send(FileList.Request(), at: now)
            ask(ticket, FileList.requestID, tag) { $0.names.count == 2 }
        case 7:
            let quantity: RealtimeMeasurement.Quantity =
                ring.number(0..<2) == 0 ? .heartRateStream : .stress
            let number = session.start(.measurement(quantity), at: now)
            quantities[number] = quantity
            tell("start \(number.rawValue), \(quantity)")
            lastStream = number
        case 8:
            tell("stop \(lastStream.map { "\($0.rawValue)" } ?? "nothing")")
            if let lastStream { session.stop(lastStream, at: now) }
        case 10:
            suspendOrEnd()
        case 11:
            startOther()
        case 12:
            guard let lastWrite else { return }
            tell("the last write has failed")
            session.writeFailed(lastWrite, at: now)
        default:
            guard !open.isEmpty else { return }
            let number = open[ring.number(0..<open.count)].number
            tell("cancel \(number.rawValue)")
            session.cancel(number, at: now)
        }
        drain()
    }

    private mutating func tell(_ words: String) {
        if isWild { transcript.append("\(now.microseconds / 1_000)  \(words)") }
    }

    /// The services change, or the link ends.
    private mutating func suspendOrEnd() {
        switch ring.number(0..<4) {
        case 0:
            tell("disconnect")
            session.disconnect(at: now)
            ring.cut()
        case 1:
            tell("suspend")
            session.suspend(at: now)
        default:
            tell("resume")
            session.resume(at: now)
        }
    }

    /// A stream that this ring does not know.
    private mutating func startOther() {
        let isWorkout = ring.number(0..<2) == 0
        let number = session.start(
            isWorkout ? .workout(.run) : .rawSensors, once: ring.number(0..<2) == 0, at: now)
        others.insert(number)
        tell("start \(number.rawValue), \(isWorkout ? "a workout" : "raw sensors")")
        if isWorkout, ring.number(0..<2) == 0 { session.pause(number, at: now) }
        lastStream = number
    }

    private mutating func ask<Value>(
        _ ticket: Ticket<Value>, _ opcode: UInt8, _ tag: UInt8, _ isTrue: @escaping (Value) -> Bool
    ) {
        let check = { (completion: Completion) in
            switch try? ticket.answer(completion) {
            case .value(let value): isTrue(value)
            case .refused, .noData, nil: true
            }
        }
        tell("ask \(ticket.number.rawValue) for \(HexText.byte(opcode))")
        open.append(Asked(number: ticket.number, opcode: opcode, tag: tag, check: check))
        drain()
    }

    /// Time passes: deliveries, deadlines and reports happen in their order.
    private mutating func pass(_ duration: Duration) {
        let end = now + duration
        var nextReport = now + .milliseconds(500)
        while true {
            let arrival = ring.deliveries.first?.moment ?? .distantFuture
            let deadline = session.deadline ?? .distantFuture
            let next = max(now, min(arrival, deadline, nextReport))
            guard next <= end else { break }
            now = next
            if arrival <= next, let delivery = ring.nextDelivery(until: next) {
                session.receive(delivery.bytes, on: delivery.channel, at: now)
            } else if deadline <= next {
                session.tick(at: now)
                if let deadline = session.deadline, deadline <= now {
                    failures.append("a deadline lies in the past")
                    break
                }
            } else {
                ring.report(at: now)
                nextReport = now + .milliseconds(500)
            }
            if session.deadline == nil && session.openRequestCount > 0 {
                failures.append("a request waits without a deadline")
            }
            drain()
        }
        now = end
    }

    private mutating func drain() {
        while let effect = session.nextEffect() {
            switch effect {
            case .write(let frame, let number):
                lastWrite = number
                tell("write \(HexText.bytes(frame.bytes.dropLast()))")
                attempts += 1
                let tag = open.first { $0.opcode == frame.opcode }?.tag ?? 0
                ring.receive(frame, for: tag, at: now)
            case .writeRecord(let record, let number):
                lastWrite = number
                tell("write record \(HexText.bytes(record.bytes))")
                ring.receive(record, at: now)
            case .finished(let completion):
                end(completion)
            case .stream(let number, let report):
                note(number, report)
            case .event(let event):
                if isWild { tell("event \(event)") }
            }
        }
        guard session.deadline != lastDeadline else { return }
        lastDeadline = session.deadline
        tell("to be called at \(lastDeadline.map { "\($0.microseconds)" } ?? "no time")")
    }

    private mutating func end(_ completion: Completion) {
        tell(
            "ended \(completion.number): \(completion.error.map { "\($0)" } ?? "answered"), "
                + "\(completion.received.frames.count) frames, "
                + "\(completion.received.bigData.count) records")
        if !ended.insert(completion.number).inserted { failures.append("ended twice") }
        guard let index = open.firstIndex(where: { $0.number == completion.number }) else {
            failures.append("an unknown request ended")
            return
        }
        if completion.error == nil { answers += 1 }
        let asked = open.remove(at: index)
        if !asked.check(completion) {
            failures.append("the answer to \(asked.tag) is not true: \(completion.received.frames)")
        }
    }

    private mutating func note(_ number: StreamNumber, _ report: StreamReport) {
        if isWild { tell("stream \(number.rawValue): \(report)") }
        if others.contains(number) {
            if case .ended = report { others.remove(number) }
            return
        }
        guard let quantity = quantities[number] else {
            failures.append("a report after the end of its stream")
            return
        }
        switch report {
        case .measurement(let reply):
            if reply.quantity != quantity { failures.append("a report of another quantity") }
        case .ended: quantities[number] = nil
        case .started, .workout, .rawSensors: break
        }
    }
}

@Suite struct SessionModelTests {
    @Test func eachRequestEndsOnceAndNoAnswerIsUntrue() {
        var answers = 0
        var attempts = 0
        for seed in 1...2000 as ClosedRange<UInt64> {
            var world = SessionWorld(seed: seed)
            world.run()
            answers += world.answers
            attempts += world.attempts
            if !world.failures.isEmpty {
                Issue.record("seed \(seed): \(world.failures.prefix(4))")
                if seed > 200 { break }
            }
        }
        #expect(answers > 10_000)
        #expect(attempts > answers)
    }

    /// Every effect and every deadline of some courses is as it was recorded and read through.
    @Test func courseIsAsRecorded() throws {
        let courses = (1...10 as ClosedRange<UInt64>).map { seed in
            var world = SessionWorld(seed: seed, isWild: true)
            world.run()
            return "# seed \(seed)\n" + world.transcript.map { $0 + "\n" }.joined()
        }
        try GoldenText("Golden/Lives/SessionModel.txt").expect(courses.joined())
    }
}
