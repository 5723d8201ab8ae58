import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Random apps that read rings at midnight, after journeys, and from rings that are deaf, refuse,
/// send slowly or show another time. Each follows from one seed, which a failure prints.
///
/// `HALO_DEVICE_SWEEP_RUNS` is the number of apps, and `HALO_SWEEP_SEED` the first seed.
@Suite(.passesTime) struct DeviceSweepTests {
    private static func variable(_ name: String, _ otherwise: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) ?? otherwise
    }

    @Test func connectingEndsInTimeAndNoValueIsOfAnotherDay() async throws {
        let first = Self.variable("HALO_SWEEP_SEED", 1)
        let runs = Self.variable("HALO_DEVICE_SWEEP_RUNS", 40)
        var connected = 0
        var samples = 0
        for seed in first..<first + runs {
            let run = try DeviceRun(seed: seed).play()
            #expect(run.faults == [], "seed \(seed): \(run.scenario)")
            connected += run.hasConnected ? 1 : 0
            samples += run.samples
            await Task.yield()
        }
        // The random days are worth checking: most rings answer, and have stored values.
        #expect(connected > Int(runs) / 2)
        #expect(samples > Int(runs) * 100)
        print("\(runs) runs from seed \(first): \(connected) connected, \(samples) samples")
    }
}

/// The result of one random app.
private struct DeviceRunResult: Sendable {
    let scenario: String
    var hasConnected = false
    var samples = 0
    var faults: [String] = []
}

/// A random app and its ring.
private struct DeviceRun: Sendable {
    private let seed: UInt64
    private let profile: RingProfile
    private let hearing: OddRing.Hearing
    private let device: VirtualRingOptions
    private let options: RingOptions
    private let start: WallClock
    /// The zone to which the app travels after it has connected, in seconds ahead of UTC.
    private let journey: Int?
    private let faults: FaultPlan
    private let days: Int
    /// The time before each read.
    private let pauses: [Duration]

    init(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        self.seed = seed
        profile = Self.profile(&random)
        hearing = Self.hearing(&random)
        start = try Self.start(&random)
        var device = VirtualRingOptions(seed: seed)
        device.clock = Self.clock(&random)
        self.device = device
        var options = RingOptions(clock: Self.chance(30, &random) ? .leave : .set(.local))
        if Self.chance(20, &random) {
            options.connectTimeout = .seconds(Int.random(in: 5...30, using: &random))
        }
        options.daysReadBeforeClockChange = Int.random(in: 0...3, using: &random)
        options.findWindow = .zero
        options.reconnect = .never
        self.options = options
        journey = Self.chance(30, &random) ? Int.random(in: -12...14, using: &random) * 3600 : nil
        var rates = FaultRates()
        if Self.chance(40, &random) {
            rates.lostNotifications = Int.random(in: 0...20, using: &random)
            rates.delays = Int.random(in: 0...20, using: &random)
        }
        faults = FaultPlan(seed: seed, rates: rates)
        days = Int.random(in: 1...3, using: &random)
        pauses = (0..<2).map { _ in
            .seconds(Self.chance(50, &random) ? 0 : Int.random(in: 0...40_000, using: &random))
        }
    }

    private static func chance(_ percent: Int, _ random: inout SplitMix) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    /// A ring that, in half of the cases, refuses a few commands or does not answer them.
    private static func profile(_ random: inout SplitMix) -> RingProfile {
        var profile = RingProfile.all.randomElement(using: &random) ?? .r10
        guard chance(50, &random) else { return profile }
        for opcode in [
            SetTime.opcode, ActivityLog.opcode, StressLog.opcode, HeartRateVariabilityLog.opcode,
            HeartRateLog.opcode, TodayTotals.opcode, DailyTotals.opcode, DeviceFunctions.opcode,
        ] where chance(15, &random) {
            let conduct: RingBehaviour = chance(50, &random) ? .silent : .refuses
            profile.commands = profile.commands.with(conduct, "made up", for: opcode)
        }
        return profile
    }

    private static func hearing(_ random: inout SplitMix) -> OddRing.Hearing {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<80: .everything
        case ..<86: .nothing
        case ..<93: .onlyAtFirst(Int.random(in: 1...20, using: &random))
        default: .dripping([ActivityLog.opcode, HeartRateLog.opcode])
        }
    }

    /// A time within a few years, in half of the cases shortly before midnight.
    private static func start(_ random: inout SplitMix) throws -> WallClock {
        let day = try CivilDate(daysSince1970: Int.random(in: 19_700...21_700, using: &random))
        let second =
            chance(50, &random)
            ? 86_400 - Int.random(in: 1...90, using: &random)
            : Int.random(in: 0..<86_400, using: &random)
        return WallClock(
            local: CivilDateTime(day).advanced(bySeconds: second),
            secondsFromUTC: Int.random(in: -22...28, using: &random) * 1800)
    }

    private static func clock(_ random: inout SplitMix) -> VirtualRingOptions.Clock {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<60: .right
        case ..<70: .factory
        case ..<80: .off(seconds: Int.random(in: -120...120, using: &random))
        case ..<90: .off(seconds: Int.random(in: -14...14, using: &random) * 3600)
        default: .off(seconds: Int.random(in: -20...20, using: &random) * 86_400)
        }
    }

    var scenario: String {
        "\(profile), \(hearing), clock \(device.clock), \(start.local) at \(start.secondsFromUTC)"
            + ", \(options.clock), journey \(journey ?? 0), \(days) days, \(pauses), "
            + "\(options.connectTimeout)"
    }

    func play() throws -> DeviceRunResult {
        let air = VirtualBluetooth(
            seed: seed, mode: .manual, startingAt: start.local,
            secondsFromUTC: start.secondsFromUTC, faults: faults)
        return try runDeterministically(step: { air.step() }) { try await play(in: air) }
    }

    private func play(in air: VirtualBluetooth) async throws -> DeviceRunResult {
        var result = DeviceRunResult(scenario: scenario)
        let worn = air.add(OddRing(hearing, profile, days: 2, options: device))
        let begun = air.time.now()
        let log = LifeLog(air)
        let ring = try? await Ring.connect(
            to: worn.identity, over: log.bluetooth, options: options)
        let took = air.time.now().duration(since: begun)
        if took > options.connectTimeout { result.faults.append("connecting took \(took)") }
        guard let ring else {
            await log.pass(.seconds(10))
            result.faults += log.leftovers.map { "left over: \($0)" }
            return result
        }
        result.hasConnected = true
        if let journey { air.setZone(secondsFromUTC: journey) }
        for pause in pauses {
            try await air.clock.sleep(for: pause)
            let before = worn.state?.ring.history
            guard let history = try? await ring.history(days: days) else { continue }
            let after = worn.state?.ring.history
            let truth = HistoryTruth(before, Self.midnight(between: before, after), after)
            // Totals change until they are asked for again.
            result.faults += truth.faults(of: history).filter { !$0.hasPrefix("totals") }
            let right = air.time.wallClock().utc.advanced(bySeconds: start.secondsFromUTC)
            let shown = worn.state?.ring.time ?? right
            let late = Int(right.secondsSince1970) - Int(shown.secondsSince1970)
            result.faults += momentFaults(of: history, late: late)
            result.samples += history[.heartRate].count + history[.stress].count
        }
        await ring.disconnect()
        await log.pass(.seconds(10))
        result.faults += log.leftovers.map { "left over: \($0)" }
        return result
    }

    /// The memory just after a midnight during the read: what was stored ahead of time is today's
    /// then, and is not overwritten yet.
    private static func midnight(
        between before: RingMemory?, _ after: RingMemory?
    ) -> RingMemory? {
        guard var memory = before, let end = after?.now, memory.now.date < end.date else {
            return nil
        }
        var body = BodyClock(Wearer())
        memory.advance(
            to: CivilDateTime(end.date).advanced(bySeconds: 1), body: &body, worn: true,
            settings: .all
        ) { _ in }
        return memory
    }

    /// The heart rates that the wearer did not have at their moment in UTC.
    ///
    /// - Parameter late: The seconds by which the ring's clock is behind, at most: the write that
    ///   sets it may come late.
    private func momentFaults(of history: RingHistory, late: Int) -> [String] {
        guard case .set = options.clock else { return [] }
        let wearer = Wearer()
        return history[.heartRate].compactMap { sample in
            guard let utc = sample.utc else { return nil }
            // A ring measures 17 s after a slot has begun; clocks have whole seconds.
            let there = utc.advanced(bySeconds: start.secondsFromUTC + 17)
            let isRight = (-3...3 + min(max(late, 0), 3)).contains {
                wearer.state(at: there.advanced(bySeconds: $0)).beatsPerMinute == sample.value
            }
            return isRight ? nil : "\(sample) was not the heart rate at \(utc) UTC"
        }
    }
}
