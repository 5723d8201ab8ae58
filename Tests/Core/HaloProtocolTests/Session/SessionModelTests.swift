import TestSupport
import Testing

@testable import HaloProtocol

/// The invariants of a session between an app and a ring over a link with many faults.
private struct SessionWorld {
    /// A request of the app, and the check of its answer.
    private struct Asked {
        let number: RequestNumber
        let opcode: UInt8
        let tag: UInt8
        let check: (Completion) -> Bool
    }

    private var ring: SessionModelRing
    private var session: RingSession
    private var now = Moment.origin
    private var open: [Asked] = []
    private var ended: Set<RequestNumber> = []
    private var quantities: [StreamNumber: RealtimeMeasurement.Quantity] = [:]
    /// Streams of other kinds than measurements.
    private var others: Set<StreamNumber> = []
    private var lastStream: StreamNumber?
    private var writeRequests = 0
    private(set) var failures: [String] = []
    private(set) var answers = 0
    private(set) var attempts = 0
    /// The log of all actions and effects, a line each.
    private(set) var transcript: [String] = []
    private var lastDeadline: Moment?
    private var lastWrite: WriteNumber?

    /// `true` if links end, services change, writes fail and unknown streams are started, too.
    private let isWild: Bool

    init(seed: UInt64, isWild: Bool = false) {
        self.isWild = isWild
        ring = SessionModelRing(seed: seed)
        var rules = SessionRules()
        rules.queueLimit = 6
        rules.effectLimit = 40
        session = RingSession(rules)
    }

    /// Runs all steps, then waits until no deadline is left.
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
        if ring.writes > writeRequests { failures.append("a write was sent twice") }
    }

    private mutating func act() {
        let tag = UInt8(truncatingIfNeeded: open.count + ended.count)
        switch ring.number(0..<(isWild ? 13 : 10)) {
        case 0, 1, 2:
            let pending = session.send(Battery.Request(), at: now)
            ask(pending, Battery.opcode, tag) { $0.percent == tag }
        case 3, 4:
            let day = UInt8(ring.number(0..<5))
            let pending = session.send(StressLog.Request(day: DaysAgo(day)), at: now)
            ask(pending, StressLog.opcode, tag) { log in
                log.day.count == day
                    && log.samples.allSatisfy { $0 == SessionModelRing.sample(daysAgo: day) }
            }
        case 5:
            let isRead = ring.number(0..<2) == 0
            if !isRead { writeRequests += 1 }
            let request = isRead ? AutoStress.Request.read : .write(ToggleSetting(.on))
            let pending = session.send(request, at: now)
            ask(pending, AutoStress.opcode, tag) { ($0.reading != nil) == isRead }
        case 6:
            let pending = session.send(FileList.Request(), at: now)
            ask(pending, FileList.requestID, tag) { $0.names.count == 2 }
        case 7:
            let quantity: RealtimeMeasurement.Quantity =
                ring.number(0..<2) == 0 ? .heartRateStream : .stress
            let number = session.start(.measurement(quantity), at: now)
            quantities[number] = quantity
            log("start \(number.rawValue), \(quantity)")
            lastStream = number
        case 8:
            log("stop \(lastStream.map { "\($0.rawValue)" } ?? "nothing")")
            if let lastStream { session.stop(lastStream, at: now) }
        case 10:
            suspendOrEnd()
        case 11:
            startOther()
        case 12:
            guard let lastWrite else { return }
            log("the last write has failed")
            session.writeFailed(lastWrite, at: now)
        default:
            guard !open.isEmpty else { return }
            let number = open[ring.number(0..<open.count)].number
            log("cancel \(number.rawValue)")
            session.cancel(number, at: now)
        }
        drain()
    }

    private mutating func log(_ words: String) {
        if isWild { transcript.append("\(now.microseconds / 1_000)  \(words)") }
    }

    /// Changes the services, or ends the link.
    private mutating func suspendOrEnd() {
        switch ring.number(0..<4) {
        case 0:
            log("disconnect")
            session.disconnect(at: now)
            ring.cut()
        case 1:
            log("suspend")
            session.suspend(at: now)
        default:
            log("resume")
            session.resume(at: now)
        }
    }

    /// Starts a stream that this ring does not support.
    private mutating func startOther() {
        let isWorkout = ring.number(0..<2) == 0
        let number = session.start(
            isWorkout ? .workout(.run) : .rawSensors, once: ring.number(0..<2) == 0, at: now)
        others.insert(number)
        log("start \(number.rawValue), \(isWorkout ? "a workout" : "raw sensors")")
        if isWorkout, ring.number(0..<2) == 0 { session.pause(number, at: now) }
        lastStream = number
    }

    private mutating func ask<Value>(
        _ pending: PendingRequest<Value>, _ opcode: UInt8, _ tag: UInt8,
        _ isTrue: @escaping (Value) -> Bool
    ) {
        let check = { (completion: Completion) in
            switch try? pending.answer(completion) {
            case .value(let value): isTrue(value)
            case .refused, .noData, nil: true
            }
        }
        log("ask \(pending.number.rawValue) for \(HexText.byte(opcode))")
        open.append(Asked(number: pending.number, opcode: opcode, tag: tag, check: check))
        drain()
    }

    /// Advances time: deliveries, deadlines and reports happen in order.
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
                log("write \(HexText.bytes(frame.bytes.dropLast()))")
                attempts += 1
                let tag = open.first { $0.opcode == frame.opcode }?.tag ?? 0
                ring.receive(frame, for: tag, at: now)
            case .writeRecord(let record, let number):
                lastWrite = number
                log("write record \(HexText.bytes(record.bytes))")
                ring.receive(record, at: now)
            case .finished(let completion):
                end(completion)
            case .stream(let number, let report):
                note(number, report)
            case .event(let event):
                if isWild { log("event \(event)") }
            }
        }
        guard session.deadline != lastDeadline else { return }
        lastDeadline = session.deadline
        log("to be called at \(lastDeadline.map { "\($0.microseconds)" } ?? "no time")")
    }

    private mutating func end(_ completion: Completion) {
        log(
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
        if isWild { log("stream \(number.rawValue): \(report)") }
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

@Suite(.computes) struct SessionModelTests {
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

    /// Every effect and every deadline of some runs is as recorded.
    @Test func courseIsAsRecorded() throws {
        let courses = (1...10 as ClosedRange<UInt64>).map { seed in
            var world = SessionWorld(seed: seed, isWild: true)
            world.run()
            return "# seed \(seed)\n" + world.transcript.map { $0 + "\n" }.joined()
        }
        try GoldenText("Golden/Lives/SessionModel.txt").expect(courses.joined())
    }
}
