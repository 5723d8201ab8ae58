import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloDevices

/// Reads of rings whose clock is in doubt, goes wrong or is set meanwhile: their requests and
/// results, step by step, as `Fixtures/Golden/Lives` has them.
@Suite(.passesTime) struct HistoryReadingTests {
    /// The outcome of a step.
    enum Outcome: Sendable {
        case some, noData, unsupported
        /// A reply with gaps.
        case partial
        case failed
    }

    /// A ring, and the program that reads it.
    struct Course: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The time of the wall clock in the beginning.
        var start = CivilDateTime(secondsSince1970: 20_459 * 86_400 - 40_000)
        /// The seconds by which the ring's clock is ahead of the wall clock, from a second on.
        var ahead: [Int: Int] = [0: 0]
        /// The seconds in which the program sets the ring's clock.
        var settings: [Int] = [-10]
        /// `true` if the ring confirms it.
        var isConfirmed = true
        /// The outcomes of the requests for a kind.
        var outcomes: [HistoryKind: Outcome] = [:]
        /// `true` if the ring can say its day.
        var saysDay = true
        var secondsPerAnswer = 1
        var plan = HistoryPlan(days: 2)
        /// `true` for a read before a wrong clock is set.
        var isOldClock = false
        /// The number of actions before the timeout.
        var mostActions = Int.max
    }

    /// A course under way.
    private struct Run {
        let course: Course
        var lines: [String] = []
        var now = Moment.origin
        var knowledge = RingKnowledge(
            assuming: RingClock(secondsFromUTC: 0, wasSet: false), after: [])

        init(_ course: Course) { self.course = course }

        var second: Int { Int(now.microseconds / 1_000_000) }

        var wall: WallClock {
            WallClock(local: course.start.advanced(bySeconds: second), secondsFromUTC: 0)
        }

        /// The time that the ring's clock shows.
        var shown: CivilDateTime {
            let last = course.ahead.filter { $0.key <= second }.max { $0.key < $1.key }
            return wall.local.advanced(bySeconds: last?.value ?? 0)
        }

        mutating func pass(_ seconds: Int) {
            for _ in 0..<seconds {
                now = now + .seconds(1)
                if course.settings.contains(second) { set() }
            }
        }

        mutating func set() {
            knowledge.beginSetting(
                RingClock(secondsFromUTC: 0, wasSet: true, since: wall.local), at: now)
            if course.isConfirmed { knowledge.confirmSetting(at: now) }
        }

        mutating func note(_ words: String) { lines.append("\(second): \(words)") }
    }

    private static func words(_ aim: HistoryContext) -> String {
        let now = aim.now.map { "\($0)" } ?? "unknown"
        return "\(aim.day), \(aim.daysAgo.count) days before \(aim.today), now \(now)"
    }

    /// A history in words; each part that counts is a heart rate whose value is its kind.
    private static func words(_ history: RingHistory) -> [String] {
        let at = history.readAt.map { "\($0)" } ?? "unknown"
        let zone = history.secondsFromUTC.map { "\($0)" } ?? "unknown"
        var lines = ["today \(history.today), read at \(at), zone \(zone)"]
        lines += history[.heartRate].map { sample in
            "\(HistoryKind.allCases[sample.value]) of \(sample.time.date)"
                + (sample.minutes > 0 ? ", until now" : "")
                + (sample.secondsFromUTC.map { ", zone \($0)" } ?? "")
        }
        lines += history.unsupported.map { "not supported: \($0)" }.sorted()
        return lines + history.failures.map { "failed: \($0)" }
    }

    private static func part(
        _ step: HistoryStep, _ outcome: Outcome, _ today: CivilDate?
    ) -> HistoryPart {
        let number = HistoryKind.allCases.firstIndex(of: step.kind) ?? 0
        let reply = HistoryReply(today: today) { context, history in
            let time = CivilDateTime(step.dating == .severalDaysAgo ? context.today : context.day)
            history[.heartRate].append(
                TimedSample(
                    time: time, minutes: context.now == nil ? 0 : 1,
                    secondsFromUTC: context.secondsFromUTC(from: time, seconds: 60),
                    value: number))
        }
        switch outcome {
        case .some: return .some(reply)
        case .partial: return .some(reply, DeviceError(.badReply))
        case .noData: return .noData
        case .unsupported: return .unsupported
        case .failed: return .failed(DeviceError(.timedOut))
        }
    }

    private static func begin(_ run: inout Run) -> HistoryReading {
        if run.course.settings.contains(where: { $0 < 0 }) { run.set() }
        guard run.course.isOldClock else {
            return HistoryReading(run.course.plan, run.knowledge, run.wall, at: run.now)
        }
        let sighting = DayProbe.Sighting(
            today: run.shown.date, from: DaysAgo(1), asked: run.now, answered: run.now)
        return HistoryReading(
            run.course.plan, run.knowledge,
            oldClockOn: run.course.saysDay ? sighting : nil,
            expected: ExpectedTime(run.knowledge.clock, run.wall, at: run.now))
    }

    private static func live(_ course: Course) -> [String] {
        var run = Run(course)
        var reading = begin(&run)
        var actions = 0
        while true {
            var known = run.knowledge
            let action = reading.next(&known, run.wall, at: run.now)
            guard actions < course.mostActions else {
                reading.giveUp(DeviceError(.timedOut))
                break
            }
            actions += 1
            let asked = run.now
            switch (action, reading.step) {
            case (.wait(let moment), _):
                run.note("wait until \(moment.microseconds / 1_000) ms")
                while run.now < moment { run.pass(1) }
            case (.ask, .day(let probe)):
                let (day, here) = (probe.from, probe.here)
                run.note("ask the day from \(day.count) on, near \(here), year \(probe.hasYear)")
                let today = run.shown.date
                run.pass(course.secondsPerAnswer)
                let sighting = DayProbe.Sighting(
                    today: today, from: day, asked: asked, answered: run.now)
                reading.endDay(.success(course.saysDay ? sighting : nil))
            case (.ask, .part(_, let aim, _)):
                run.note("ask for \(aim.step.kind): \(words(aim))")
                let outcome = course.outcomes[aim.step.kind] ?? .some
                let today = aim.step.kind == .activity && outcome == .some ? run.shown.date : nil
                run.pass(course.secondsPerAnswer)
                reading.end(
                    part(aim.step, outcome, today), aim, asked: asked, answered: run.now)
            case (.ask, nil), (nil, _):
                if reading.next(&known, run.wall, at: run.now) != nil { run.note("no end") }
                actions = .max
            }
            while let progress = reading.nextProgress() {
                run.note("\(progress.step)/\(progress.count) \(progress.kind)")
            }
            if actions == .max || actions > 500 { break }
        }
        while let progress = reading.nextProgress() { run.note("\(progress.step) given up") }
        return run.lines + words(reading.history)
    }

    private static let midnight = CivilDateTime(secondsSince1970: 20_459 * 86_400)

    static let courses: [Course] = [
        Course(testDescription: "ClockKnown"),
        Course(testDescription: "ClockAssumed", settings: []),
        Course(testDescription: "ClockUnconfirmed", isConfirmed: false),
        Course(testDescription: "DayUnknown", settings: [], saysDay: false),
        Course(
            testDescription: "AssumedNearMidnight", start: midnight.advanced(bySeconds: -30),
            settings: []),
        Course(
            testDescription: "KnownNearMidnight", start: midnight.advanced(bySeconds: -8)),
        Course(
            testDescription: "KnownJustAfterMidnight", start: midnight.advanced(bySeconds: 1)),
        Course(
            testDescription: "SlowAtMidnight", start: midnight.advanced(bySeconds: -60),
            secondsPerAnswer: 9),
        Course(
            testDescription: "SlowForDays", start: midnight.advanced(bySeconds: -60),
            secondsPerAnswer: 40_000),
        Course(testDescription: "AheadOfTheWall", ahead: [0: 86_400], settings: []),
        Course(testDescription: "BehindTheWall", ahead: [0: -3 * 86_400], settings: []),
        Course(
            testDescription: "SetBackBySomebody", ahead: [0: 0, 6: -2 * 86_400]),
        Course(
            testDescription: "SetBackAgainAndAgain",
            ahead: [0: 0, 6: -86_400, 20: -2 * 86_400, 34: -3 * 86_400, 48: -4 * 86_400]),
        Course(
            testDescription: "JumpsAllTheTime",
            ahead: Dictionary(uniqueKeysWithValues: (0..<90).map { ($0, -$0 % 7 * 86_400) })),
        Course(testDescription: "SetByTheApp", settings: [-10, 6]),
        Course(testDescription: "SetByTheAppLate", settings: [6]),
        Course(
            testDescription: "SetByTheAppAgainAndAgain", settings: [5, 12, 19, 26, 33],
            isConfirmed: false),
        Course(
            testDescription: "SetByTheAppAfterRefusals", settings: [12], isConfirmed: false,
            outcomes: [.stress: .unsupported, .heartRate: .failed, .sleep: .noData]),
        Course(
            testDescription: "SetByTheAppAfterTwoRounds", start: midnight.advanced(bySeconds: -60),
            settings: [-10, 1_200_000], isConfirmed: false, secondsPerAnswer: 40_000),
        Course(
            testDescription: "PartsMissing",
            outcomes: [
                .stress: .unsupported, .sleep: .noData, .heartRate: .failed,
                .activity: .noData, .temperature: .partial,
            ]),
        Course(
            testDescription: "PartsMissingAndAssumed", settings: [],
            outcomes: [.stress: .unsupported, .activity: .partial, .totals: .noData]),
        Course(
            testDescription: "OldClock", ahead: [0: -5 * 86_400], settings: [], isOldClock: true),
        Course(
            testDescription: "OldClockWithoutDay", settings: [], saysDay: false,
            isOldClock: true),
        Course(
            testDescription: "OldClockAtMidnight", start: midnight.advanced(bySeconds: -6),
            ahead: [0: -5 * 86_400], settings: [], isOldClock: true),
        Course(
            testDescription: "GivenUp", ahead: [0: -5 * 86_400], settings: [], isOldClock: true,
            mostActions: 6),
        Course(
            testDescription: "GivenUpWithActivity", ahead: [0: -5 * 86_400], settings: [],
            isOldClock: true, mostActions: 10),
        Course(
            testDescription: "OneStep", settings: [], plan: HistoryPlan(.stress(DaysAgo(1)))),
        Course(
            testDescription: "OneDatedStep", settings: [], saysDay: false,
            plan: HistoryPlan(.heartRate(DaysAgo(3)))),
        Course(
            testDescription: "BeforeTheFirstDay",
            start: CivilDateTime(secondsSince1970: 100_000), plan: HistoryPlan(days: 4)),
    ]

    @Test(arguments: courses)
    func aReadTakesItsCourse(_ course: Course) throws {
        let text = Self.live(course).map { $0 + "\n" }.joined()
        try GoldenText("Golden/Lives/Reading\(course.testDescription).txt").expect(text)
    }
}
