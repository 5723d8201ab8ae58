import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// The packets of virtual rings, compared with a recording.
@Suite(.passesTime) struct VirtualRingGoldenTests {
    private static func words(_ heard: [RingBench.Heard]) -> [String] {
        heard.map { "\($0.moment) \($0.channel) \(HexText.bytes($0.bytes, separator: " "))" }
    }

    /// The visible state of a ring.
    private static func words(_ bench: RingBench) -> [String] {
        let ring = bench.ring
        return bench.others.map { "\($0)" }
            + bench.answers.map { "\($0.key) \($0.value)" }.sorted() + [
                "\(ring) at \(ring.time), lit \(ring.isLit), connected \(ring.isConnected)",
                "\(ring.losses)",
            ] + changedSettings(ring) + [
                "wakes at \(bench.wake.map { "\($0)" } ?? "-"), was woken \(bench.wakings) times"
            ]
    }

    /// The settings that differ from the defaults. A new setting changes no recording.
    private static func changedSettings(_ ring: VirtualRing) -> [String] {
        let factory = Mirror(reflecting: ring.profile.factorySettings).children
        return zip(Mirror(reflecting: ring.settings).children, factory).compactMap { now, before in
            let value = "\(now.value)"
            return value == "\(before.value)" ? nil : "\(now.label ?? ""): \(value)"
        }
    }

    /// The fixtures with a recorded reply. Requests of a new fixture would change every drill.
    private static func recorded(_ fixtures: [RingFixture]) -> [RingFixture] {
        let golden = GoldenText("Golden/Simulations/AnswersR02.txt")
        let names = Set(golden.recorded(of: fixtures.map(\.name)))
        return fixtures.filter { names.contains($0.name) }
    }

    private static let commands = recorded(RingFixture.commands).flatMap(\.requests)
    private static let records = recorded(RingFixture.records).flatMap(\.requests)

    /// The replies to all requests of the recorded fixtures, of a ring that has been worn for three
    /// days.
    private static func answers(_ profile: RingProfile) -> [(name: String, lines: [String])] {
        let ready = RingBench.connected(profile, days: 3)
        var all: [(name: String, lines: [String])] = []
        for (fixtures, uuid) in [
            (recorded(RingFixture.commands), RingServices.uartWrite),
            (recorded(RingFixture.records), RingServices.bigDataWrite),
        ] {
            for fixture in fixtures {
                var bench = ready
                var lines: [String] = []
                for request in fixture.requests {
                    lines.append("> \(HexText.bytes(request, separator: " "))")
                    bench.write(request, to: uuid, withResponse: request.count.isMultiple(of: 2))
                    bench.advance(by: .seconds(6))
                    lines += words(bench.take())
                }
                all.append((fixture.name, lines + words(bench)))
            }
        }
        return all
    }

    @Test(arguments: RingProfile.all)
    func everyRequestIsAnsweredAsRecorded(_ profile: RingProfile) throws {
        var table = GoldenTable("Answers-\(profile)")
        for (name, lines) in Self.answers(profile) { try table.add(name, lines) }
        try GoldenText("Golden/Simulations/Answers\(profile).txt").expect(table.lines)
    }

    /// The complete short replies of an R10.
    @Test func shortAnswersOfAnR10AreAsRecorded() throws {
        var lines: [String] = []
        for (name, words) in Self.answers(.r10) {
            let heard = words.filter {
                $0.hasPrefix(">") || $0.hasSuffix("-") || $0.contains(" s uart ")
            }
            guard heard.count < 24 else { continue }
            lines += ["# \(name)"] + heard
        }
        try GoldenText("Golden/Simulations/ShortAnswers.txt").expect(lines)
    }

    /// Three days with all kinds of events.
    @Test(arguments: RingProfile.all)
    func threeDaysAreAsRecorded(_ profile: RingProfile) throws {
        let wearer = Wearer(seed: 12, stepsPerDay: 14_000, exerciseDaysPerWeek: 5)
        var bench = RingBench.connected(profile, wearer: wearer, days: 2)
        var table = GoldenTable("Days-\(profile)")
        func note(_ name: String, _ bench: inout RingBench) throws {
            let history = "\(bench.ring.history.sleepPeriods) \(bench.ring.history.napPeriods)"
            try table.add(
                name, Self.words(bench.take()) + Self.words(bench) + [history])
        }
        bench.advance(by: .seconds(86_400))
        try note("a day with a central", &bench)
        bench.modify { $0.takeOff() }
        bench.advance(by: .seconds(5_000))
        bench.modify { $0.dock() }
        bench.advance(by: .seconds(7_200))
        bench.modify { $0.putOn() }
        bench.advance(by: .seconds(3_600))
        try note("off, charging, on again", &bench)
        bench.modify { $0.setBattery(percent: 2) }
        bench.advance(by: .seconds(20_000))
        try note("an empty battery", &bench)
        bench.modify { $0.dock() }
        bench.connect()
        bench.advance(by: .seconds(900))
        bench.modify { $0.undock() }
        bench.modify { $0.putOn() }
        bench.modify { $0.findPhone() }
        bench.modify { $0.findPhone(isOn: false) }
        bench.modify { $0.shiftClock(bySeconds: -9_000) }
        bench.advance(by: .seconds(20_000))
        try note("a clock set back", &bench)
        bench.handle(.disconnected)
        bench.jump(to: bench.now + .seconds(50_000))
        bench.connect(maximumLength: 20)
        try note("without a central", &bench)
        for request in [Sleep.Request.allNights, .allNightsInOneByte] {
            bench.send(request.frame)
            bench.advance(by: .seconds(5))
        }
        try note("nights in short packets", &bench)
        for date in [-3, -1, 0].compactMap({ bench.ring.time.date.advanced(byDays: $0) }) {
            bench.send(HeartRateLog.Request(day: date).frame)
            bench.advance(by: .seconds(5))
        }
        try note("days of heart rates", &bench)
        try GoldenText("Golden/Simulations/Days\(profile).txt").expect(table.lines)
    }

    // MARK: Live

    /// Each quantity, worn and not worn, paused and stopped; streams, workouts and the camera.
    @Test(arguments: RingProfile.all)
    func whatIsMeasuredNowIsAsRecorded(_ profile: RingProfile) throws {
        var table = GoldenTable("Live-\(profile)")
        for quantity in 0...13 as ClosedRange<UInt8> {
            var bench = RingBench.connected(profile, days: 0)
            let opcode = RealtimeMeasurement.opcode
            func send(_ action: UInt8) {
                bench.send(PacketVerifier.frame(opcode: opcode, [quantity, action]))
            }
            send(1)
            bench.advance(by: .seconds(42))
            send(3)
            bench.advance(by: .seconds(5))
            send(4)
            bench.advance(by: .seconds(9))
            bench.modify { $0.takeOff() }
            bench.advance(by: .seconds(6))
            bench.modify { $0.putOn() }
            bench.advance(by: .seconds(6))
            bench.send(PacketVerifier.frame(opcode: StopMeasurement.opcode, [quantity, 0, 0]))
            bench.advance(by: .seconds(3))
            send(1)
            bench.advance(by: .seconds(400))
            try table.add("quantity \(quantity)", Self.words(bench.take()) + Self.words(bench))
        }
        for sport in [Sport.run, .walk, .cycle] {
            var bench = RingBench.connected(profile, days: 0)
            for action in [WorkoutControl.Action.start, .requestStart, .pause, .resume, .end] {
                bench.send(WorkoutControl.Request(action, sport).frame)
                bench.advance(by: .seconds(action == .pause ? 7 : 95))
            }
            bench.send(WorkoutList.Request(after: CivilDateTime(secondsSince1970: 0)).frame)
            bench.advance(by: .seconds(5))
            try table.add("\(sport)", Self.words(bench.take()) + Self.words(bench))
        }
        try GoldenText("Golden/Simulations/Live\(profile).txt").expect(table.lines)
    }

    // MARK: Anything

    /// Random requests in any order and at any time, to any ring, with random changes from outside.
    private static func drill(seed: UInt64) -> [String] {
        var choice = FuzzBytes(seed: seed, count: 1_500)
        var options = VirtualRingOptions()
        options.seed = seed
        options.clock =
            [.right, .factory, .off(seconds: -86_000), .off(seconds: 4_000)][
                Int(choice.byte() % 4)]
        options.batteryPercent = Int(choice.byte() % 101)
        options.isDocked = choice.byte() < 30
        options.isWorn = choice.byte() > 30
        options.advertisesShortService = choice.flag()
        let profile = RingProfile.all[Int(seed) % RingProfile.all.count]
        var bench = RingBench(
            VirtualRing(
                profile, wearer: Wearer(seed: seed), days: Int(choice.byte() % 3),
                options: options),
            at: RingBench.start.advanced(bySeconds: Int(choice.integer(UInt16.self)) * 40))
        bench.connect()
        while choice.remaining > 8 {
            let number = Int(choice.integer(UInt16.self))
            switch choice.byte() % 20 {
            case 0: bench.modify { $0.takeOff() }
            case 1: bench.modify { $0.putOn() }
            case 2: bench.modify { number % 2 == 0 ? $0.dock() : $0.undock() }
            case 3: bench.modify { $0.setBattery(percent: number % 130 - 10) }
            case 4: bench.modify { $0.shiftClock(bySeconds: number * 5 - 160_000) }
            case 5: bench.modify { number % 2 == 0 ? $0.wave() : $0.findPhone() }
            case 6 where number % 3 == 0: bench.handle(.disconnected)
            case 6, 7: bench.connect(maximumLength: [20, 50, 182, 244][number % 4])
            case 8: _ = bench.read(RingServices.uartWrite, offset: number % 5)
            case 9:
                for service in bench.ring.services {
                    for characteristic in service.characteristics {
                        _ = bench.read(characteristic.uuid, offset: number % 7)
                    }
                }
            case 10...13:
                bench.write(
                    records[number % records.count], to: RingServices.bigDataWrite,
                    withResponse: number % 2 == 0)
            case 14:
                var bytes = commands[number % commands.count]
                bytes[number % bytes.count] ^= 1 << UInt8(number % 8)
                bench.write(bytes, to: RingServices.uartWrite)
            default:
                for offset in 0..<Int(choice.byte() % 4) {
                    bench.write(
                        commands[(number + offset) % commands.count], to: RingServices.uartWrite,
                        withResponse: number % 2 == 0)
                }
            }
            let scale = choice.byte() % 16 == 0 ? 12_000 : 30
            bench.advance(by: .milliseconds(Int(choice.byte()) * scale))
        }
        return words(bench.heard) + words(bench)
    }

    @Test func anythingIsAsRecorded() throws {
        var table = GoldenTable("RingDrills")
        for seed in 1...24 as ClosedRange<UInt64> {
            try table.add("seed \(seed)", Self.drill(seed: seed))
        }
        try GoldenText("Golden/Simulations/RingDrills.txt").expect(table.lines)
    }
}
