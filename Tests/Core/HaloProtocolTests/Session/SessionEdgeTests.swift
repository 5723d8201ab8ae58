import TestSupport
import Testing

@testable import HaloProtocol

/// The edges of the rules: exact limits, exact moments, and leftovers.
@Suite(.computes) struct SessionEdgeTests {
    private var driver = SessionDriver()

    private func numbers(of session: inout RingSession) -> [RingSession.Effect] {
        var effects: [RingSession.Effect] = []
        while let effect = session.nextEffect() { effects.append(effect) }
        return effects
    }

    // MARK: Effects

    /// The queue of effects behaves like an array: no effect is lost, doubled or moved.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func effectsComeAsAnArrayWouldGiveThem(seed: UInt64) throws {
        var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ count: UInt64) -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (random >> 33) % count
        }
        var queue = EffectQueue<RingSession.Effect>(limit: 10_000)
        var model: [RingSession.Effect] = []
        for step in 0..<2000 as Range<UInt64> {
            // It grows for a while, and then it shrinks.
            switch next(100) {
            case 0..<(step / 400 % 2 == 0 ? 60 : 30):
                let effect: RingSession.Effect =
                    switch next(3) {
                    case 0: .event(.dropped(Int(step)))
                    case 1:
                        .write(
                            Battery.Reply.level(UInt8(step % 101)), WriteNumber(rawValue: step))
                    default: .stream(StreamNumber(rawValue: step), .ended(.silent))
                    }
                queue.append(effect)
                model.append(effect)
            case 99 where step % 5 == 0:
                let kept = model.filter { if case .write = $0 { false } else { true } }
                let isUnchanged = queue.removeAll { if case .write = $0 { true } else { false } }
                #expect(isUnchanged == (kept.count == model.count))
                model = kept
            default:
                #expect(queue.next() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(queue.count == model.count)
        }
        while let effect = queue.next() { #expect(effect == model.removeFirst()) }
        #expect(model.isEmpty)
    }

    /// The limit holds, however often the app drains effects.
    @Test func fetchedEffectsMakeRoom() throws {
        var rules = SessionRules()
        rules.effectLimit = 100
        var session = RingSession(rules)
        let push = Array(try frame("73 01").bytes)
        for _ in 0..<10 {
            for _ in 0..<100 { session.receive(push, on: .uart, at: .origin) }
            for _ in 0..<70 { #expect(session.nextEffect() != nil) }
            for _ in 0..<70 { session.receive(push, on: .uart, at: .origin) }
            let rest = numbers(of: &session)
            #expect(rest.count == 100)
            #expect(!rest.contains { if case .event(.dropped) = $0 { true } else { false } })
        }
    }

    // MARK: Answers

    @Test mutating func anAnswerMayHaveAsManyFramesAsTheLimit() throws {
        let pending = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        let frames = try stressLog(daysAgo: 1, sample: 9).frames
        for _ in 0..<512 { driver.ring(frames[0], frames[1]) }
        #expect(driver.completion(pending) == nil)
        driver.ring(frames[0])
        #expect(driver.failure(pending) == .tooLong)
    }

    @Test mutating func anAnswerMayHaveAMegabyteAndNotMore() throws {
        let length = 2048
        let payload = [UInt8](repeating: 9, count: length - BigDataFrame.headerLength)
        let record = try BigDataFrame(id: TemperatureSeries.replyID, payload: payload)
        let pending = driver.app { $0.send(TemperatureSeries.Request(selector: 0), at: $1) }
        for _ in 0..<(1 << 20) / length { driver.ring(record) }
        #expect(driver.completion(pending) == nil)
        driver.ring(record)
        #expect(driver.failure(pending) == .tooLong)
    }

    @Test func oneFrameOfManyIsAnAnswerThatIsNotComplete() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let pending = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        driver.ring(try stressLog(daysAgo: 1, sample: 9).frames[0])
        driver.wait(.seconds(3))
        #expect(driver.failure(pending) == .incomplete)
        #expect(driver.completion(pending)?.received.count == 1)
    }

    /// For a tenth of a second an equal frame is a duplicate of the late one before it, and not
    /// the second of two late replies.
    @Test(arguments: [(99_999, true), (100_000, false)])
    func aRepeatComesAtOnce(_ microseconds: Int, _ isRepeat: Bool) {
        var driver = SessionDriver {
            $0.attempts = 2
            $0.lateReplyTimeout = .seconds(60)
        }
        let first = driver.app { $0.send(Battery.Request(), at: $1) }
        driver.wait(.seconds(7))
        #expect(driver.failure(first) == .timedOut)
        _ = driver.app { $0.send(Battery.Request(), at: $1) }
        #expect(driver.drainWrites().count == 2)
        driver.ring(Battery.Reply.level(11))
        driver.wait(.microseconds(microseconds))
        driver.ring(Battery.Reply.level(11))
        driver.wait(.milliseconds(50))
        #expect(driver.drainWrites().count == (isRepeat ? 0 : 1))
    }

    /// A log that was requested twice arrives twice, both times late. It is not requested again
    /// before the second one.
    @Test func eachOfTwoLateAnswersIsWaitedOut() throws {
        var driver = SessionDriver {
            $0.attempts = 2
            $0.lateReplyTimeout = .seconds(60)
        }
        let log = try stressLog(daysAgo: 1, sample: 11)
        let first = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        driver.wait(.seconds(7))
        #expect(driver.failure(first) == .timedOut)
        #expect(driver.drainWrites().count == 2)
        let second = driver.app { $0.send(StressLog.Request(day: 1), at: $1) }
        driver.ring(log.frames)
        driver.wait(.seconds(1))
        #expect(driver.drainWrites() == [])
        driver.ring(log.frames)
        driver.wait(.seconds(1))
        #expect(driver.drainWrites() == [StressLog.Request(day: 1).frame])
        #expect(driver.drainEvents() == (log.frames + log.frames).map { .late($0) })
        driver.ring(log.frames)
        #expect(try driver.answer(second) == .value(log))
    }

    // MARK: Recordings

    private static let recording = WorkoutDetail.Request(
        sport: Reported(.run), start: CivilDateTime(secondsSince1970: 1_785_000_000))

    private func package(_ number: UInt8, _ sample: UInt8) throws -> WorkoutSamples.Reply {
        try WorkoutSamples.Reply(package: number, samples: [sample, sample])
    }

    /// A recording is complete with its layout and all packages, in any order.
    @Test func aRecordingIsWholeWhenNothingIsMissing() throws {
        let layout = WorkoutDetail.Reply(WorkoutDetail.Layout(packageCount: 3)).frame
        let packages = try (1...3).map { try package($0, $0).frame }
        for missing in 0..<16 {
            let records = ([layout] + packages).enumerated()
                .filter { missing & (1 << $0.offset) == 0 }.map(\.element)
            for order in [records, records.reversed()] {
                var driver = SessionDriver { $0.attempts = 1 }
                let pending = driver.app { $0.send(Self.recording, at: $1) }
                for record in order { driver.ring(record) }
                driver.wait(.seconds(40))
                let isWhole = driver.completion(pending)?.error == nil
                #expect(isWhole == (missing == 0), "\(missing)")
            }
        }
    }

    /// Another layout belongs to another recording: packages of the first are dropped.
    @Test mutating func piecesOfAnotherRecordingAreNotKept() throws {
        let first = WorkoutDetail.Reply(WorkoutDetail.Layout(packageCount: 3))
        let second = WorkoutDetail.Reply(WorkoutDetail.Layout(packageCount: 2, secondsPerSample: 5))
        let pending = driver.app { $0.send(Self.recording, at: $1) }
        driver.ring(first.frame, try package(1, 90).frame, second.frame)
        let right = try [package(1, 60), package(2, 61)]
        driver.ring(right[0].frame)
        #expect(driver.completion(pending) == nil)
        driver.ring(right[1].frame)
        let recording = try driver.answer(pending).value
        #expect(recording?.packages == right)
        #expect(recording?.layout.secondsPerSample == 5)
        #expect(driver.completion(pending)?.received.bigData.count == 3)
    }

    @Test func aPackageThatCannotBeSaysWhichCan() throws {
        var driver = SessionDriver { $0.attempts = 1 }
        let pending = driver.app { $0.send(Self.recording, at: $1) }
        let layout = WorkoutDetail.Reply(WorkoutDetail.Layout(packageCount: 3)).frame
        driver.ring(layout, try package(9, 1).frame)
        driver.wait(.seconds(40))
        let error = driver.completion(pending)?.error
        #expect(error?.kind == .incomplete && error?.packetError?.kind == .outOfOrder)
        #expect(error?.packetError?.expected == 1...3 && error?.packetError?.found == 9)
    }

    // MARK: The end of the link

    @Test mutating func halfARecordIsReportedWhenTheLinkEnds() throws {
        let record = try BigDataFrame(id: FileList.replyID, payload: [1, 3, 65, 66, 67])
        driver.ring(bytes: Array(record.bytes.prefix(8)), on: .bigData)
        #expect(driver.drainEvents() == [])
        driver.app { $0.disconnect(at: $1) }
        let isBroken = driver.drainEvents().map {
            if case .brokenRecord = $0 { true } else { false }
        }
        #expect(isBroken == [true])
        #expect(driver.session.deadline == nil)
    }

    // MARK: Recorded requests

    @Test mutating func aRecordedRequestIsSentLikeItsType() throws {
        let battery = driver.app { $0.send(recorded: Battery.Request().frame, at: $1) }
        driver.ring(Battery.Reply.level(7))
        let log = driver.app { $0.send(recorded: StressLog.Request(day: 1).frame, at: $1) }
        driver.wait(.milliseconds(10))
        driver.ring(try stressLog(daysAgo: 1, sample: 9).frames)
        let files = driver.app { $0.send(recorded: FileList.Request().frame, at: $1) }
        driver.wait(.milliseconds(10))
        driver.ring(BigDataNoData(id: FileList.replyID).frame)
        for number in [battery, log, files] {
            let number = try #require(number)
            #expect(driver.completions[number]?.error == nil)
            #expect((driver.completions[number]?.received.count ?? 0) > 0)
        }
        #expect(
            driver.drainWrites() == [Battery.Request().frame, StressLog.Request(day: 1).frame])
        #expect(driver.drainRecords() == [FileList.Request().frame])
    }

    @Test mutating func aRequestWithoutReplyHasNoAnswer() throws {
        let request = DangerousPowerOff.Request(knowinglySending: .shutDown).frame
        let number = try #require(driver.app { $0.send(recorded: request, at: $1) })
        #expect(driver.drainWrites() == [request])
        driver.wait(.milliseconds(299))
        #expect(driver.completions[number] == nil)
        driver.wait(.milliseconds(1))
        let completion = try #require(driver.completions[number])
        #expect(completion.error == nil && completion.received.count == 0)
    }

    @Test mutating func aPacketThatIsNoRequestIsNotSent() throws {
        for frame in [try frame("08 77"), try frame("FE 01"), try frame("37 01 02")] {
            let isRequest =
                CommandCatalog.entry(opcode: frame.opcode)?.session?(frame) != nil
            let number = driver.app { $0.send(recorded: frame, at: $1) }
            #expect((number != nil) == isRequest, "\(frame)")
        }
        let powerOff = try frame("08 77")
        #expect(driver.app { $0.send(recorded: powerOff, at: $1) } == nil)
        let record = try BigDataFrame(id: 0xEE, payload: [])
        #expect(driver.app { $0.send(recorded: record, at: $1) } == nil)
        #expect(driver.drainRecords() == [])
    }

    // MARK: Numbers

    @Test func theDefaultRulesAreWhatRingsNeed() {
        let rules = SessionRules()
        let waits: [Duration] = [
            rules.frameTimeout, rules.replyTimeout, rules.furtherRecordTimeout, rules.spacing,
            rules.spacingWithoutReply, rules.lateReplyTimeout, rules.streamTimeout,
            rules.workoutTimeout, rules.keepAliveInterval, rules.lateTickThreshold,
            rules.gracePeriod,
        ]
        #expect(
            waits == [
                .seconds(3), .seconds(30), .milliseconds(400), .milliseconds(10),
                .milliseconds(300), .seconds(10), .seconds(4), .seconds(35), .seconds(15),
                .seconds(1), .milliseconds(300),
            ])
        #expect([rules.attempts, rules.queueLimit, rules.effectLimit] == [3, 64, 1024])
        let sensor = HeartRateSensorSession.Rules()
        #expect([sensor.silenceTimeout, sensor.maximumDrift] == [.seconds(5), .seconds(3)])
        #expect(sensor.effectLimit == 1024)
    }

    @Test func aWaitIsAMicrosecondAtLeastAndAYearAtMost() {
        for (wait, microseconds) in [
            (.seconds(-5), 1), (.zero, 1), (.nanoseconds(999), 1), (.microseconds(1), 1),
            (.microseconds(2), 2), (.seconds(31_536_000), 31_536_000_000_000),
            (.seconds(31_536_001), 31_536_000_000_000),
            (.seconds(Int64.max), 31_536_000_000_000),
        ] as [(Duration, Int64)] {
            #expect(wait.asWait == microseconds, "\(wait)")
        }
    }
}
