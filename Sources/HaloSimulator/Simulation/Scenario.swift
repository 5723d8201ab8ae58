internal import HaloProtocol
internal import HaloTransport

/// Who is there in a run, what they do and what goes wrong: all from one number.
struct Scenario {
    let seed: UInt64
    let start: WallClock
    let rings: [VirtualRing]
    let steps: [ScenarioStep]
    let faults: FaultPlan
    let rules: SessionRules
    let writeMode: WriteMode
    /// How long it may take until nothing is open any more.
    let patience: Duration

    init(seed: UInt64, _ extent: SimulationExtent) {
        var random = ScenarioRandom(seed: seed)
        self.seed = seed
        start = Self.start(&random)
        let count = random.happens(inHundred: 12) ? random.within(2...3) : 1
        rings = (0..<count).map { _ in Self.ring(&random) }
        writeMode = random.happens(inHundred: 60) ? .withResponse : .withoutResponse
        rules = Self.rules(&random)
        switch extent {
        case .minutes:
            faults = FaultPlan(seed: seed, rates: Self.rates(&random))
            steps = Self.minutes(&random, rings: count)
        case .week:
            faults = FaultPlan(seed: seed, rates: .everything(4))
            steps = Self.week(&random, rings: count)
        }
        let waiting = rules.answerWithin * rules.attempts + rules.lateAnswersWithin
        patience = .seconds(120) + waiting * 40
    }

    /// Some day of a few years, at any time of day: also at midnight and at a year's end.
    private static func start(_ random: inout ScenarioRandom) -> WallClock {
        let year2024: UInt32 = 1_704_067_200
        let days = random.below(1200)
        var second = random.below(86_400)
        if random.happens(inHundred: 15) { second = 86_400 - 1 - random.below(30) }
        let seconds = year2024 + UInt32(days * 86_400 + second)
        return WallClock(
            local: CivilDateTime(secondsSince1970: seconds),
            secondsFromUTC: random.within(-12...14) * 3600)
    }

    private static func ring(_ random: inout ScenarioRandom) -> VirtualRing {
        let profile = random.pick(RingProfile.all) ?? .r10
        let wearer = Wearer(restingHeartRate: random.within(45...75))
        return VirtualRing(profile, wearer: wearer, days: random.below(3))
    }

    private static func rules(_ random: inout ScenarioRandom) -> SessionRules {
        var rules = SessionRules()
        if random.happens(inHundred: 20) { rules.attempts = random.within(1...2) }
        if random.happens(inHundred: 20) { rules.queueLimit = random.within(1...4) }
        if random.happens(inHundred: 20) { rules.effectLimit = random.within(4...32) }
        return rules
    }

    /// Mostly a few things go wrong, each as often as chance says; sometimes all, sometimes none.
    private static func rates(_ random: inout ScenarioRandom) -> FaultRates {
        let kind = random.below(10)
        if kind == 0 { return FaultRates() }
        if kind == 1 { return .everything(random.within(2...25)) }
        var rates = FaultRates()
        for path in kinds where random.happens(inHundred: 25) {
            rates[keyPath: path] = random.within(5...120)
        }
        rates.failedConnections = min(rates.failedConnections, 300)
        rates.disconnections = min(rates.disconnections, 30)
        return rates
    }

    private static var kinds: [WritableKeyPath<FaultRates, Int>] {
        [
            \.lostNotifications, \.lostWrites, \.duplications, \.reorderings, \.corruptions,
            \.truncations, \.delays, \.stalls, \.disconnections, \.refusals, \.silences,
            \.refusedCommands, \.lostSubscriptions, \.shortPackets, \.failedConnections,
        ]
    }

    private static func minutes(
        _ random: inout ScenarioRandom, rings: Int
    ) -> [ScenarioStep] {
        var steps = [
            ScenarioStep(delay: .zero, ring: 0, action: .ask(.battery))
        ]
        for _ in 0..<random.within(4...12) {
            let action = self.action(&random)
            steps.append(
                ScenarioStep(
                    delay: delay(before: action, &random), ring: random.below(rings),
                    action: action))
        }
        return steps
    }

    /// Every few hours the app asks for several things; in between the ring lives its life.
    private static func week(_ random: inout ScenarioRandom, rings: Int) -> [ScenarioStep] {
        var steps: [ScenarioStep] = []
        var minutes = 0
        while minutes < 7 * 1440 {
            let pause = random.within(20...400)
            minutes += pause
            let ring = random.below(rings)
            let action = self.action(&random)
            steps.append(ScenarioStep(delay: .seconds(pause * 60), ring: ring, action: action))
            for _ in 0..<random.within(1...6) {
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
            // Most apps do not stay; a ring that nobody listens to says nothing as it goes along.
            if random.happens(inHundred: 80) {
                let action = ScenarioStep.Action.leave(.seconds(random.within(600...20_000)))
                steps.append(ScenarioStep(delay: .seconds(60), ring: ring, action: action))
            }
        }
        return steps
    }

    private static func action(_ random: inout ScenarioRandom) -> ScenarioStep.Action {
        switch random.below(100) {
        case ..<66: .ask(Question.any(&random))
        case ..<75: .cancel(newest: random.below(3))
        case ..<81: .startStream(stream(&random))
        case ..<86: .stopStream
        case ..<89: .pauseApp(.milliseconds(random.within(100...15_000)))
        case ..<91: .neglectSession(.milliseconds(random.within(100...60_000)))
        case ..<94: .takeOff
        case ..<96: .putOn
        case ..<97: .charge(true)
        case ..<98: .charge(false)
        default: .leave(.seconds(random.within(1...20)))
        }
    }

    private static func stream(_ random: inout ScenarioRandom) -> RingStream {
        let streams: [RingStream] = [
            .measurement(.heartRate), .measurement(.bloodOxygen), .measurement(.heartRateStream),
            .workout(.run), .workout(.walk), .rawSensors,
        ]
        return random.pick(streams) ?? .rawSensors
    }

    /// Often at once, while something else is under way; sometimes after a while.
    private static func delay(
        before action: ScenarioStep.Action, _ random: inout ScenarioRandom
    ) -> Duration {
        if case .stopStream = action { return .milliseconds(random.within(10...20_000)) }
        return switch random.below(10) {
        case ..<4: .zero
        case ..<7: .milliseconds(random.below(400))
        case ..<9: .milliseconds(random.below(5000))
        default: .seconds(random.below(30))
        }
    }
}
