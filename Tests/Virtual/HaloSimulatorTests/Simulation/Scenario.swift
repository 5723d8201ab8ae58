import HaloProtocol
import HaloTransport

@testable import HaloSimulator

/// The participants, steps and faults of a run, all derived from one seed.
struct Scenario {
    let seed: UInt64
    let start: WallClock
    let rings: [VirtualRing]
    let steps: [ScenarioStep]
    let faults: FaultPlan
    let rules: SessionRules
    let writeMode: WriteMode
    /// The timeout for all requests to end.
    let settleTimeout: Duration

    init(seed: UInt64, _ extent: SimulationExtent) {
        var random = SplitMix(seed: seed)
        self.seed = seed
        start = Self.start(&random)
        let count = random.happens(inHundred: 12) ? random.number(in: 2...3) : 1
        rings = (0..<count).map { _ in Self.ring(&random) }
        writeMode = random.happens(inHundred: 60) ? .withResponse : .withoutResponse
        rules = Self.rules(&random)
        switch extent {
        case .minutes:
            faults = FaultPlan(seed: seed, rates: Self.rates(&random))
            steps = Self.minutes(&random, rings: count)
        case .week:
            faults = FaultPlan(seed: seed, rates: .all(perMille: 4))
            steps = Self.week(&random, rings: count)
        }
        let waiting = rules.frameTimeout * rules.attempts + rules.lateReplyTimeout
        settleTimeout = .seconds(120) + waiting * 40
    }

    /// A random time within a few years, sometimes at midnight or at a year's end.
    private static func start(_ random: inout SplitMix) -> WallClock {
        let year2024: UInt32 = 1_704_067_200
        let days = random.index(below: 1200)
        var second = random.index(below: 86_400)
        if random.happens(inHundred: 15) { second = 86_400 - 1 - random.index(below: 30) }
        let seconds = year2024 + UInt32(days * 86_400 + second)
        return WallClock(
            local: CivilDateTime(secondsSince1970: seconds),
            secondsFromUTC: random.number(in: -12...14) * 3600)
    }

    private static func ring(_ random: inout SplitMix) -> VirtualRing {
        let profile = random.pick(RingProfile.all) ?? .r10
        let wearer = Wearer(restingHeartRate: random.number(in: 45...75))
        return VirtualRing(profile, wearer: wearer, days: random.index(below: 3))
    }

    private static func rules(_ random: inout SplitMix) -> SessionRules {
        var rules = SessionRules()
        if random.happens(inHundred: 20) { rules.attempts = random.number(in: 1...2) }
        if random.happens(inHundred: 20) { rules.queueLimit = random.number(in: 1...4) }
        if random.happens(inHundred: 20) { rules.effectLimit = random.number(in: 4...32) }
        return rules
    }

    /// Random rates: mostly a few kinds of fault, sometimes all, sometimes no fault.
    private static func rates(_ random: inout SplitMix) -> FaultRates {
        let kind = random.index(below: 10)
        if kind == 0 { return FaultRates() }
        if kind == 1 { return .all(perMille: random.number(in: 2...25)) }
        var rates = FaultRates()
        for path in FaultRates.paths where random.happens(inHundred: 25) {
            rates[keyPath: path] = random.number(in: 5...120)
        }
        rates.failedConnections = min(rates.failedConnections, 300)
        rates.disconnections = min(rates.disconnections, 30)
        return rates
    }

    private static func minutes(
        _ random: inout SplitMix, rings: Int
    ) -> [ScenarioStep] {
        var steps = [
            ScenarioStep(delay: .zero, ring: 0, action: .ask(.battery))
        ]
        for _ in 0..<random.number(in: 4...12) {
            let action = self.action(&random)
            steps.append(
                ScenarioStep(
                    delay: delay(before: action, &random), ring: random.index(below: rings),
                    action: action))
        }
        return steps
    }

    /// The steps of a week: every few hours the app makes several requests, and between them the
    /// wearer uses the ring.
    private static func week(_ random: inout SplitMix, rings: Int) -> [ScenarioStep] {
        var steps: [ScenarioStep] = []
        var minutes = 0
        while minutes < 7 * 1440 {
            let pause = random.number(in: 20...400)
            minutes += pause
            let ring = random.index(below: rings)
            let action = self.action(&random)
            steps.append(ScenarioStep(delay: .seconds(pause * 60), ring: ring, action: action))
            for _ in 0..<random.number(in: 1...6) {
                let action = self.action(&random)
                let delay = delay(before: action, &random)
                steps.append(ScenarioStep(delay: delay, ring: ring, action: action))
            }
            if random.happens(inHundred: 12) {
                for (delay, action): (Int, ScenarioStep.Action) in [
                    (30, .charge(true)), (3600, .charge(false)), (10, .putOn),
                ] {
                    steps.append(ScenarioStep(delay: .seconds(delay), ring: ring, action: action))
                }
            }
            if random.happens(inHundred: 60) {
                steps.append(ScenarioStep(delay: .seconds(40), ring: ring, action: .stopStream))
            }
            // Most apps disconnect; a ring without a central sends nothing.
            if random.happens(inHundred: 80) {
                let action = ScenarioStep.Action.disconnect(
                    .seconds(random.number(in: 600...20_000)))
                steps.append(ScenarioStep(delay: .seconds(60), ring: ring, action: action))
            }
        }
        return steps
    }

    private static func action(_ random: inout SplitMix) -> ScenarioStep.Action {
        switch random.index(below: 100) {
        case ..<66: .ask(SimulatedRequest.any(&random))
        case ..<75: .cancel(newest: random.index(below: 3))
        case ..<81: .startStream(stream(&random))
        case ..<86: .stopStream
        case ..<89: .pauseApp(.milliseconds(random.number(in: 100...15_000)))
        case ..<91: .neglectSession(.milliseconds(random.number(in: 100...60_000)))
        case ..<94: .takeOff
        case ..<96: .putOn
        case ..<97: .charge(true)
        case ..<98: .charge(false)
        default: .disconnect(.seconds(random.number(in: 1...20)))
        }
    }

    private static func stream(_ random: inout SplitMix) -> RingStream {
        let streams: [RingStream] = [
            .measurement(.heartRate), .measurement(.bloodOxygen), .measurement(.heartRateStream),
            .workout(.run), .workout(.walk), .rawSensors,
        ]
        return random.pick(streams) ?? .rawSensors
    }

    /// A random delay: often zero, so that requests overlap.
    private static func delay(
        before action: ScenarioStep.Action, _ random: inout SplitMix
    ) -> Duration {
        if case .stopStream = action { return .milliseconds(random.number(in: 10...20_000)) }
        return switch random.index(below: 10) {
        case ..<4: .zero
        case ..<7: .milliseconds(random.index(below: 400))
        case ..<9: .milliseconds(random.index(below: 5000))
        default: .seconds(random.index(below: 30))
        }
    }
}

/// A step of a run, apart from the actions of devices and faults.
struct ScenarioStep: Sendable {
    /// The delay after the previous step.
    var delay: Duration
    /// The index of the ring.
    var ring: Int
    /// The action.
    var action: Action

    /// The possible actions.
    enum Action: Sendable {
        /// The app makes a request.
        case ask(SimulatedRequest)
        /// The app cancels a request, at a position counted back from the newest.
        case cancel(newest: Int)
        /// The app starts a stream.
        case startStream(RingStream)
        /// The app stops its stream.
        case stopStream
        /// The app is suspended: incoming packets wait.
        case pauseApp(Duration)
        /// The app receives packets, and does not fetch its session's effects.
        case neglectSession(Duration)
        /// The wearer takes the ring off.
        case takeOff
        /// The wearer puts the ring on.
        case putOn
        /// The ring is put on its charger (`true`), or taken off it.
        case charge(Bool)
        /// The app disconnects, and reconnects after a while.
        case disconnect(Duration)
    }

}

extension ScenarioStep.Action: CustomStringConvertible {
    /// The description of the action.
    var description: String {
        switch self {
        case .ask(let question): "ask: \(question.title)"
        case .cancel(0): "take back the newest request"
        case .cancel(let newest): "take back the request \(newest) before the newest"
        case .startStream(let stream): "start \(Self.words(stream))"
        case .stopStream: "stop the newest stream"
        case .pauseApp(let duration): "the app sleeps for \(Self.seconds(duration))"
        case .neglectSession(let duration): "the app looks away for \(Self.seconds(duration))"
        case .takeOff: "the ring is taken off"
        case .putOn: "the ring is put on"
        case .charge(true): "the ring is put on its charger"
        case .charge(false): "the ring is taken from its charger"
        case .disconnect(let duration): "the app closes the link for \(Self.seconds(duration))"
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        "\(duration.wholeMicroseconds / 1_000_000) s"
    }

    private static func words(_ stream: RingStream) -> String {
        switch stream {
        case .measurement(let quantity): "measuring \(quantity.label)"
        case .workout(let sport): "a workout, \(sport.label)"
        case .rawSensors: "raw sensors"
        }
    }
}

extension SplitMix {
    /// A number from 0 up to, but without, a bound; 0 if the bound is not positive.
    ///
    /// Unlike ``below(_:)``, it draws a number even where there is only one choice.
    mutating func index(below bound: Int) -> Int { bound > 0 ? number(in: 0...(bound - 1)) : 0 }

    /// `true` with a probability in percent.
    mutating func happens(inHundred chance: Int) -> Bool { index(below: 100) < chance }

    /// A random element, or `nil` for an empty array.
    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[index(below: elements.count)]
    }
}
