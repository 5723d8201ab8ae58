@testable import HaloProtocol
@testable import HaloTesting

/// Checks a ring session. The bytes decide the actions of the app, the ring and the clock.
struct SessionVerifier {
    private var session: RingSession
    /// A copy with the same input, which must have the same output.
    private var twin: RingSession
    private var now = Moment.origin
    private var open: [RequestNumber: @Sendable (Completion) -> Void] = [:]
    private var requests: [RequestNumber] = []
    private var streams: [StreamNumber] = []
    private var openStreams: Set<StreamNumber> = []
    private var lastWritten: Frame?
    private var writes: [WriteNumber] = []
    private var isSuspended = false
    private var isDisconnected = false
    private let effectLimit: Int

    private init(chance: inout FuzzBytes) {
        var rules = SessionRules()
        if chance.flag() {
            rules.queueLimit = chance.integer(in: 1...8)
            rules.effectLimit = chance.integer(in: 1...16)
            rules.attempts = chance.integer(in: 1...4)
            rules.frameTimeout = .milliseconds(chance.integer(in: 1...5000) as Int)
            rules.replyTimeout = .milliseconds(chance.integer(in: 1...40_000) as Int)
            rules.lateReplyTimeout = .milliseconds(chance.integer(in: 1...20_000) as Int)
            rules.streamTimeout = .milliseconds(chance.integer(in: 1...8000) as Int)
            rules.workoutTimeout = rules.streamTimeout * 4
        }
        effectLimit = rules.effectLimit
        session = RingSession(rules)
        twin = session
    }

    /// Checks that each request and each stream ends once, that every wait has a deadline, that
    /// queued effects are bounded, that a copy behaves the same, and that everything ends by
    /// itself.
    static func verify(chance: inout FuzzBytes) throws(ContractViolation) {
        let bytes = chance.all
        var verifier = SessionVerifier(chance: &chance)
        do throws(Broken) {
            for _ in 0..<300 where chance.remaining > 0 { try verifier.step(&chance) }
            try verifier.letEverythingEnd()
        } catch {
            throw ContractViolation(error.what, packet: "RingSession", bytes: bytes)
        }
    }

    /// An error: the session has broken a promise.
    private struct Broken: Error {
        let what: String
    }

    private mutating func both(_ body: (inout RingSession, Moment) -> Void) {
        body(&session, now)
        body(&twin, now)
    }

    private mutating func step(_ chance: inout FuzzBytes) throws(Broken) {
        switch chance.integer(in: 0...11) as UInt8 {
        case 0...2: send(&chance)
        case 3: act(&chance)
        case 4...6: receive(&chance)
        case 7...8: pass(&chance)
        case 9: try tickAtDeadline()
        case 10: try drain()
        default:
            if chance.byte() < 8 {
                both { $0.disconnect(at: $1) }
                isDisconnected = true
            }
        }
        let mustWait = session.openRequestCount > 0 && !isDisconnected && !isSuspended
        guard !mustWait || session.deadline != nil else {
            throw Broken(what: "a request waits without a deadline")
        }
    }

    private mutating func send(_ chance: inout FuzzBytes) {
        let day = DaysAgo(chance.byte() & 3)
        switch chance.integer(in: 0...9) as UInt8 {
        case 0: ask { $0.send(Battery.Request(), at: $1) }
        case 1: ask { $0.send(StressLog.Request(day: day), at: $1) }
        case 2: ask { $0.send(ActivityLog.Request(day: day), at: $1) }
        case 3: ask { $0.send(DailyTotals.Request(day: day), at: $1) }
        case 4: ask { $0.send(AutoStress.Request.read, at: $1) }
        case 5: ask { $0.send(AutoStress.Request.write(ToggleSetting(.on)), at: $1) }
        case 6: ask { $0.send(Sleep.Request.allNights, at: $1) }
        case 7: ask { $0.send(TemperatureSeries.Request.today, at: $1) }
        case 8:
            let request = WorkoutDetail.Request(
                sport: Reported(.run), start: CivilDateTime(secondsSince1970: 0))
            ask { $0.send(request, at: $1) }
        default: ask { $0.send(BloodOxygen.Request.allDays, at: $1) }
        }
    }

    private mutating func ask<Value>(_ body: (inout RingSession, Moment) -> PendingRequest<Value>) {
        let pending = body(&session, now)
        _ = body(&twin, now)
        requests.append(pending.number)
        open[pending.number] = { completion in
            _ = try? pending.answer(completion)
            _ = pending.partial(completion)
        }
    }

    private mutating func act(_ chance: inout FuzzBytes) {
        let quantities: [RealtimeMeasurement.Quantity] = [.heartRate, .heartRateStream, .stress]
        let choice = chance.byte()
        switch chance.integer(in: 0...9) as UInt8 {
        case 0:
            let quantity = quantities[Int(choice) % quantities.count]
            start(.measurement(quantity), once: choice & 0x80 != 0)
        case 1: start(.workout(choice & 1 == 0 ? .run : .walk), once: false)
        case 2: start(.rawSensors, once: choice & 0x80 != 0)
        case 3: stream(choice) { $0.stop($1, at: $2) }
        case 4: stream(choice) { $0.pause($1, at: $2) }
        case 5: stream(choice) { $0.resume($1, at: $2) }
        case 6:
            guard let number = chance.choice(of: writes) else { return }
            both { $0.writeFailed(number, at: $1) }
        case 7:
            both { $0.suspend(at: $1) }
            isSuspended = true
        case 8: resume()
        default:
            guard !requests.isEmpty else { return }
            let number = requests[Int(choice) % requests.count]
            both { $0.cancel(number, at: $1) }
        }
    }

    private mutating func resume() {
        both { $0.resume(at: $1) }
        isSuspended = false
    }

    private mutating func start(_ stream: RingStream, once: Bool) {
        let number = session.start(stream, once: once, at: now)
        _ = twin.start(stream, once: once, at: now)
        streams.append(number)
        openStreams.insert(number)
    }

    private mutating func stream(
        _ choice: UInt8, _ body: (inout RingSession, StreamNumber, Moment) -> Void
    ) {
        guard !streams.isEmpty else { return }
        let number = streams[Int(choice) % streams.count]
        both { body(&$0, number, $1) }
    }

    /// Sends a frame of the ring: of some command, a reply to the last write, or any bytes.
    private mutating func receive(_ chance: inout FuzzBytes) {
        let channel: RingChannel = chance.flag() ? .bigData : .uart
        let bytes: [UInt8]
        switch chance.integer(in: 0...7) as UInt8 {
        case 0:
            bytes = chance.bytes(Int(chance.byte()))
        case 1...2 where channel == .bigData:
            let ids = BigDataCatalog.entries.compactMap { $0.replyID }
            let id = chance.choice(of: ids) ?? 0
            let payload = chance.bytes(Int(chance.byte()))
            bytes = (try? BigDataFrame(id: id, payload: payload))?.bytes ?? []
        case 3:
            bytes = Array(Refusal(of: lastWritten?.opcode ?? chance.byte()).frame.bytes)
        case 4...5:
            let opcode = lastWritten?.opcode ?? 0
            bytes = Array(PacketVerifier.frame(opcode: opcode, chance.bytes(14)).bytes)
        case 6:
            let day = DaysAgo(chance.byte() & 3)
            let part = Int(chance.byte() & 7)
            let log = try? StressLog.Reply(day: day, minutesPerSample: 30, samples: [])
            let frames = log?.frames ?? []
            bytes = part < frames.count ? Array(frames[part].bytes) : []
        default:
            let entry = chance.choice(of: CommandCatalog.entries)
            let opcode = entry?.opcode ?? 0
            bytes = Array(PacketVerifier.frame(opcode: opcode, chance.bytes(14)).bytes)
        }
        both { $0.receive(bytes, on: channel, at: $1) }
    }

    private mutating func pass(_ chance: inout FuzzBytes) {
        switch chance.byte() {
        case 0xFF: now = Moment(microseconds: chance.integer())
        case 0xFE: now = now - .seconds(100)
        case let tenths: now = now + .milliseconds(100 * Int(tenths))
        }
    }

    private mutating func tickAtDeadline() throws(Broken) {
        if let deadline = session.deadline { now = deadline }
        both { $0.tick(at: $1) }
        if let deadline = session.deadline, deadline <= now {
            throw Broken(what: "after a tick at \(now) the deadline is \(deadline)")
        }
    }

    private mutating func drain() throws(Broken) {
        var droppableCount = 0
        while true {
            let effect = session.nextEffect()
            guard effect == twin.nextEffect() else { throw Broken(what: "a copy differs") }
            guard let effect else { break }
            switch effect {
            case .write(let frame, let number):
                lastWritten = frame
                writes.append(number)
            case .writeRecord(_, let number): writes.append(number)
            case .event(.fault(let words)): throw Broken(what: words)
            case .event(.dropped(let count)):
                if count < 1 { throw Broken(what: "\(count) events were dropped") }
            case .event: droppableCount += 1
            case .finished(let completion): try end(completion)
            case .stream(let number, let report):
                if try !note(number, report) { droppableCount += 1 }
            }
        }
        if droppableCount > effectLimit { throw Broken(what: "\(droppableCount) effects waited") }
    }

    private mutating func end(_ completion: Completion) throws(Broken) {
        guard let read = open.removeValue(forKey: completion.number) else {
            throw Broken(what: "\(completion.number) ended twice, or was never open")
        }
        read(completion)
        if completion.description.isEmpty { throw Broken(what: "an end says nothing") }
    }

    /// Records a report; returns `true` if its kind is never dropped.
    private mutating func note(
        _ number: StreamNumber, _ report: StreamReport
    ) throws(Broken) -> Bool {
        guard openStreams.contains(number) else {
            throw Broken(what: "a report of a stream that is not open")
        }
        switch report {
        case .ended:
            openStreams.remove(number)
            return true
        case .started: return true
        case .measurement, .workout, .rawSensors: return false
        }
    }

    /// Lets time pass without input: streams end, requests time out.
    private mutating func letEverythingEnd() throws(Broken) {
        resume()
        try drain()
        var steps = 0
        while session.deadline != nil {
            try tickAtDeadline()
            try drain()
            steps += 1
            if steps > 3000 { throw Broken(what: "it waits for ever") }
        }
        if !open.isEmpty { throw Broken(what: "\(open.count) requests did not end") }
        both { $0.disconnect(at: $1) }
        try drain()
        if !openStreams.isEmpty { throw Broken(what: "\(openStreams.count) streams did not end") }
        if session.deadline != nil { throw Broken(what: "it waits after its link has ended") }
    }
}

/// Checks a heart-rate sensor's session. The bytes decide the values and the calls.
enum SensorSessionVerifier {
    /// Checks that beats are numbered without a gap, that their times increase, that queued effects
    /// are bounded, and that an idle session has no deadline.
    static func verify(chance: inout FuzzBytes) throws(ContractViolation) {
        let bytes = chance.all
        if let what = fault(&chance) {
            throw ContractViolation(what, packet: "HeartRateSensorSession", bytes: bytes)
        }
    }

    private static func fault(_ chance: inout FuzzBytes) -> String? {
        var rules = HeartRateSensorSession.Rules()
        rules.effectLimit = chance.integer(in: 1...32)
        var session = HeartRateSensorSession(rules)
        var watcher = Watcher(limit: rules.effectLimit)
        var now = Moment.origin
        for _ in 0..<300 where chance.remaining > 0 {
            switch chance.integer(in: 0...8) as UInt8 {
            case 0...3: session.receive(chance.bytes(Int(chance.byte() & 31)), at: now)
            case 4: now = now + .milliseconds(50 * Int(chance.byte()))
            case 5: session.subscribed(at: now)
            case 6:
                if chance.byte() & 1 == 0 {
                    session.unsubscribed()
                    if session.deadline != nil { return "it waits for what is not to come" }
                } else {
                    now = Moment(microseconds: chance.integer())
                }
            case 7: session.tick(at: now)
            default: if let fault = watcher.drain(&session) { return fault }
            }
        }
        while let deadline = session.deadline {
            session.tick(at: deadline)
            if let next = session.deadline, next <= deadline { return "it waits for ever" }
        }
        return watcher.drain(&session)
    }

    /// A check of the session's effects.
    private struct Watcher {
        let limit: Int
        private var last: SensedBeat?
        private var isGap = false

        init(limit: Int) {
            self.limit = limit
        }

        mutating func drain(_ session: inout HeartRateSensorSession) -> String? {
            var count = 0
            while let effect = session.nextEffect() {
                switch effect {
                case .dropped: isGap = true
                case .measured(let measured):
                    count += 1
                    for beat in measured.beats where !follows(beat) {
                        return "beat \(beat.number) follows \(last?.number ?? 0)"
                    }
                    isGap = false
                case .malformed, .contact, .silent: count += 1
                }
            }
            return count > limit ? "\(count) effects waited" : nil
        }

        private mutating func follows(_ beat: SensedBeat) -> Bool {
            defer { last = beat }
            guard let last, !isGap else { return true }
            isGap = false
            if beat.number != last.number + 1 { return false }
            if beat.series != last.series { return beat.series > last.series }
            return beat.ticks == last.ticks + UInt64(beat.intervalTicks)
        }
    }
}
