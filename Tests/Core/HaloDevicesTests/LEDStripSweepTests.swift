import Foundation
import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Random apps that use LED strips over links with faults. Each follows from one seed, which a
/// failure prints.
///
/// `HALO_DEVICE_SWEEP_RUNS` is the number of apps, and `HALO_SWEEP_SEED` the first seed.
@Suite(.passesTime) struct LEDStripSweepTests {
    private static func variable(_ name: String, _ otherwise: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) ?? otherwise
    }

    @Test func everyRequestEndsAndTheLastLightStays() async throws {
        let first = Self.variable("HALO_SWEEP_SEED", 1)
        let runs = Self.variable("HALO_DEVICE_SWEEP_RUNS", 60)
        var all = StripRunResult()
        for seed in first..<first + runs {
            let result = try StripRun(seed: seed).play()
            #expect(result.violations == [], "seed \(seed)")
            all.add(result)
            await Task.yield()
        }
        // The random apps are worth checking: most requests are carried out, some fail, links are
        // lost, and lights are compared.
        let count = Int(runs)
        #expect(all.connected > count / 2)
        #expect(all.succeeded > count * 5 && all.failed > count / 10)
        #expect(all.compared > count * 3 && all.reports > count * 2)
        #expect(all.cancelled > count / 2)
        #expect(all.links > all.connected)
        print("\(runs) runs from seed \(first): \(all)")
    }
}

/// The result of random apps.
private struct StripRunResult: Sendable, CustomStringConvertible {
    var connected = 0
    var links = 0
    /// The requests that succeeded, without what always does.
    var succeeded = 0
    var failed = 0
    var cancelled = 0
    /// The lights that were compared with what was asked for.
    var compared = 0
    /// The states that loops received.
    var reports = 0
    var violations: [String] = []

    mutating func add(_ other: StripRunResult) {
        connected += other.connected
        links += other.links
        succeeded += other.succeeded
        failed += other.failed
        cancelled += other.cancelled
        compared += other.compared
        reports += other.reports
    }

    var description: String {
        "\(connected) connected, \(links) links, \(succeeded) requests succeeded, \(failed) failed,"
            + " \(cancelled) cancelled, \(compared) lights compared, \(reports) states"
    }
}

/// A virtual strip with the history of its state.
private struct LoggedStrip: GATTPeripheral {
    /// `true` for a strip that takes writes with response only.
    let responds: Bool
    private(set) var strip = VirtualLEDStrip()
    private(set) var linkCount = 0
    /// The moments at which lights came.
    private(set) var lights: [Moment] = []
    /// The states so far, each with the moment of its beginning.
    private(set) var states: [(begin: Moment, status: LEDStripStatus)] = []

    private var hasChanged = false

    init(responds: Bool) { self.responds = responds }

    mutating func changeServices() { hasChanged = true }

    var services: [GATTService] {
        responds ? strip.respondingServices : strip.services
    }

    mutating func setPower(isOn: Bool, at now: Moment) {
        strip.setPower(isOn: isOn)
        note(now)
    }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if case .connected = event { linkCount += 1 }
        if case .write(_, let bytes, _) = event, Self.isLight(bytes) { lights.append(now) }
        strip.handle(event, at: now, into: &effects)
        if hasChanged { effects.append(.servicesChanged) }
        hasChanged = false
        note(now)
    }

    private static func isLight(_ bytes: [UInt8]) -> Bool {
        (try? LEDStripCommand.Colour(decoding: bytes)) != nil
            || (try? LEDStripCommand.Show(decoding: bytes)) != nil
    }

    private mutating func note(_ now: Moment) {
        if states.last?.status != strip.status { states.append((now, strip.status)) }
    }

    /// `true` if the strip had a state at some time after a moment.
    func had(_ state: LEDStripState, since moment: Moment) -> Bool {
        states.indices.contains { index in
            let end = index + 1 < states.count ? states[index + 1].begin : .distantFuture
            return end >= moment && LEDStripState.isSame(state, states[index].status)
        }
    }
}

extension LEDStripState {
    /// Compares by what a status says, without the client's own translation.
    fileprivate static func isSame(_ state: LEDStripState, _ status: LEDStripStatus) -> Bool {
        guard state.isOn == (status.power.known == .on) else { return false }
        let colour = LEDColour(red: status.red, green: status.green, blue: status.blue)
        switch state.light {
        case .colour(let light):
            return status.mode.known == .steady && light == colour && status.white == 0
        case .white(let level): return Int(status.white) == level
        case .animation(let mode, let speed):
            return status.mode.known == mode && Int(status.speed) == speed
        case .unknown: return false
        }
    }
}

/// A random app and its strip.
private struct StripRun: Sendable {
    private enum Action: Sendable {
        case power(Bool)
        case set(LEDColour)
        case white(UInt8)
        case mode(LEDStripMode, UInt8)
        /// Several colours, with a pause between them.
        case flood([LEDColour], Duration)
        case fade(LEDColour, Duration)
        /// Several colours, each by a task of its own, of which some are cancelled.
        case together([LEDColour], cancelled: Set<Int>)
        /// An effect, and a colour after it.
        case effect(Duration, LEDColour)
        case status
        case remote(Bool)
        case changedServices
        case pause(Duration)

        /// The time that it takes by itself.
        var duration: Duration {
            switch self {
            case .flood(let colours, let pause): pause * colours.count
            case .fade(_, let duration), .effect(let duration, _), .pause(let duration): duration
            case .power, .set, .white, .mode, .together, .status, .remote, .changedServices: .zero
            }
        }

        /// The longest time beyond its own. Effects wait for the next link.
        var timeout: Duration {
            switch self {
            case .fade, .effect: StripRun.timeout * 3
            default: StripRun.timeout
            }
        }

        /// `true` if a request of it can fail.
        var canFail: Bool {
            switch self {
            case .power, .set, .white, .mode, .fade, .together, .effect, .status: true
            case .flood, .remote, .changedServices, .pause: false
            }
        }
    }

    private let seed: UInt64
    private let faults: FaultPlan
    private let actions: [Action]
    private let follows: Bool
    private let responds: Bool
    private var hasFaults: Bool { !faults.isEmpty }

    /// The time after which a fault no longer holds a packet back.
    private static let settling = Duration.seconds(12)
    /// The longest time of a request beyond its own.
    private static let timeout = Duration.seconds(45)

    init(seed: UInt64) {
        var random = SplitMix(seed: seed)
        self.seed = seed
        var rates = FaultRates()
        responds = Bool.random(using: &random)
        // What refuses or swallows a write without response is not noticed by any client.
        let refusals: [WritableKeyPath<FaultRates, Int>] =
            responds ? [\.refusals, \.silences] : []
        if Int.random(in: 0..<100, using: &random) < 70 {
            for path: WritableKeyPath<FaultRates, Int> in [
                \.lostNotifications, \.duplications, \.delays, \.stalls, \.disconnections,
                \.failedConnections,
            ] + refusals {
                rates[keyPath: path] = Int.random(in: 0...15, using: &random)
            }
        }
        faults = FaultPlan(seed: seed, rates: rates)
        follows = Bool.random(using: &random)
        actions = (0..<Int.random(in: 8...25, using: &random)).map { _ in Self.action(&random) }
    }

    private static func colour(_ random: inout SplitMix) -> LEDColour {
        LEDColour(
            red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
            blue: .random(in: 1...255, using: &random))
    }

    private static func milliseconds(
        _ range: ClosedRange<Int>, _ random: inout SplitMix
    ) -> Duration {
        .milliseconds(Int.random(in: range, using: &random))
    }

    private static func action(_ random: inout SplitMix) -> Action {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<10: return .power(Bool.random(using: &random))
        case ..<30: return .set(colour(&random))
        case ..<35: return .white(.random(in: 1...255, using: &random))
        case ..<45:
            let modes = LEDStripMode.allCases.filter { $0 != .steady }
            let mode = modes.randomElement(using: &random) ?? .redFade
            return .mode(mode, .random(in: 1...255, using: &random))
        case ..<65:
            let count = Int.random(in: 1...200, using: &random)
            let colours = (0..<count).map { _ in colour(&random) }
            return .flood(colours, milliseconds(0...10, &random))
        case ..<70: return .fade(colour(&random), milliseconds(0...2000, &random))
        case ..<75:
            let count = Int.random(in: 2...8, using: &random)
            let colours = (0..<count).map { _ in colour(&random) }
            let cancelled = Set((0..<count - 1).filter { _ in Bool.random(using: &random) })
            return .together(colours, cancelled: cancelled)
        case ..<78: return .effect(milliseconds(0...4000, &random), colour(&random))
        case ..<88: return .status
        case ..<92: return .remote(Bool.random(using: &random))
        case ..<94: return .changedServices
        default: return .pause(milliseconds(0...20_000, &random))
        }
    }

    func play() throws -> StripRunResult {
        let air = VirtualBluetooth(seed: seed, mode: .manual, faults: faults)
        return try runDeterministically(step: { air.step() }) { try await play(in: air) }
    }

    private func play(in air: VirtualBluetooth) async throws -> StripRunResult {
        var result = StripRunResult()
        let placed = air.add(LoggedStrip(responds: responds))
        let log = LifeLog(air)
        guard let strip = try? await LEDStrip.connect(over: log.bluetooth) else {
            await log.pass(.seconds(60))
            result.violations += log.leftovers.map { "left over: \($0)" }
            return result
        }
        result.connected = 1
        let received = Locked<[(LEDStripState, Moment)]>([])
        try await withThrowingTaskGroup { group in
            if follows { group.addTask { await Self.follow(strip, air, received) } }
            for action in actions {
                try await perform(action, strip, placed, air, &result)
            }
            await strip.disconnect()
        }
        await log.pass(.seconds(60))
        result.violations += log.leftovers.map { "left over: \($0)" }
        guard let device = placed.state else { return result }
        result.links = device.linkCount
        // Faults may hold lights back, and let them come at once. On the air, one may be late by a
        // connection interval.
        for (one, next) in zip(device.lights, device.lights.dropFirst(25)) where !hasFaults {
            let took = next.duration(since: one)
            if took < .milliseconds(940) { result.violations.append("26 lights in \(took)") }
        }
        let all = received.withLock { $0 }
        result.reports = all.count
        for (state, moment) in all
        where !device.had(state, since: moment - Self.timeout) {
            result.violations.append("the loop received \(state) at \(moment)")
        }
        return result
    }

    private static func follow(
        _ strip: LEDStrip, _ air: VirtualBluetooth, _ received: Locked<[(LEDStripState, Moment)]>
    ) async {
        var states = strip.states.makeAsyncIterator()
        while let state = try? await states.next() {
            received.withLock { $0.append((state, air.time.now())) }
        }
    }

    private func perform(
        _ action: Action, _ strip: LEDStrip, _ placed: Placed<LoggedStrip>,
        _ air: VirtualBluetooth, _ result: inout StripRunResult
    ) async throws {
        let begun = air.time.now()
        let links = placed.state?.linkCount
        do {
            defer {
                let took = air.time.now().duration(since: begun) - action.duration
                if took > action.timeout { result.violations.append("\(action) took \(took)") }
            }
            try await request(action, strip, placed, air, &result)
            if action.canFail { result.succeeded += 1 }
        } catch {
            result.failed += 1
            // A lost link needs time.
            try await air.clock.sleep(for: .seconds(5))
            return
        }
        guard strip.connectionState.isConnected else { return }
        // A request that is never answered ends the link after 30 s, and several faults in a row
        // hold a packet back for longer than one.
        var faults: Int
        repeat {
            faults = air.faultLog.records.count
            try await air.clock.sleep(for: responds ? Self.timeout : Self.settling)
        } while air.faultLog.records.count > faults
        guard let device = placed.state, device.linkCount == links,
            strip.connectionState.isConnected
        else { return }
        result.compared += 1
        if !Self.isShown(action, by: device.strip) {
            result.violations.append("\(action) became \(device.strip.status)")
        }
    }

    private func request(
        _ action: Action, _ strip: LEDStrip, _ placed: Placed<LoggedStrip>,
        _ air: VirtualBluetooth, _ result: inout StripRunResult
    ) async throws {
        switch action {
        case .power(true): try await strip.turnOn()
        case .power(false): try await strip.turnOff()
        case .set(let colour): try await strip.set(colour)
        case .white(let level): try await strip.setWhite(brightness: Double(level) / 255)
        case .mode(let mode, let speed): try await strip.start(mode, speed: speed)
        case .flood(let colours, let pause):
            for colour in colours {
                strip.show(colour)
                if pause > .zero { try await air.clock.sleep(for: pause) }
            }
        case .fade(let colour, let duration): try await strip.fade(to: colour, over: duration)
        case .together(let colours, let cancelled):
            result.cancelled += try await Self.set(colours, cancelled, on: strip, air)
        case .effect(let duration, let colour):
            try await strip.play(.rainbow(period: .seconds(1)), for: duration)
            try await strip.set(colour)
        case .status: try await checkStatus(strip, placed, air, &result)
        case .remote(let isOn):
            let now = air.time.now()
            placed.modify { $0.setPower(isOn: isOn, at: now) }
        case .changedServices: placed.modify { $0.changeServices() }
        case .pause(let duration): try await air.clock.sleep(for: duration)
        }
    }

    /// Sets colours at once, and returns the number of tasks that were cancelled in time.
    private static func set(
        _ colours: [LEDColour], _ cancelled: Set<Int>, on strip: LEDStrip, _ air: VirtualBluetooth
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, colour) in colours.enumerated() {
                group.addTask {
                    if cancelled.contains(index) {
                        return try await cancel(colour, on: strip, air)
                    }
                    try await strip.set(colour)
                    return 0
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Sets a colour by a task that is cancelled, and returns 1 if it was cancelled in time.
    private static func cancel(
        _ colour: LEDColour, on strip: LEDStrip, _ air: VirtualBluetooth
    ) async throws -> Int {
        try await withThrowingTaskGroup { group in
            group.addTask { try await strip.set(colour) }
            try await air.clock.sleep(for: .milliseconds(5))
            group.cancelAll()
            do {
                try await group.waitForAll()
                return 0
            } catch let error as DeviceError where error.kind == .cancelled {
                return 1
            }
        }
    }

    private func checkStatus(
        _ strip: LEDStrip, _ placed: Placed<LoggedStrip>, _ air: VirtualBluetooth,
        _ result: inout StripRunResult
    ) async throws {
        let begun = air.time.now()
        let state = try await strip.state()
        // A reply that came too late for its own request is taken for that of the next.
        let since = hasFaults ? begun - Self.settling : begun
        if placed.state?.had(state, since: since) != true {
            result.violations.append("the strip never reported \(state)")
        }
    }

    private static func isShown(_ action: Action, by strip: VirtualLEDStrip) -> Bool {
        switch action {
        case .power(let isOn), .remote(let isOn): strip.isOn == isOn
        case .set(let colour), .fade(let colour, _):
            strip.mode == .steady && strip.steadyLight == LEDLight(colour)
        case .flood(let colours, _):
            strip.mode == .steady && strip.steadyLight == LEDLight(colours.last ?? .black)
        case .white(let level): strip.mode == .steady && strip.steadyLight == LEDLight(white: level)
        case .mode(let mode, let speed): strip.mode == mode && strip.speed == speed
        case .effect(_, let colour):
            strip.mode == .steady && strip.steadyLight == LEDLight(colour)
        case .together(let colours, _):
            // The colour of a cancelled task may have replaced another one before.
            colours.contains { strip.steadyLight == LEDLight($0) }
        case .status, .changedServices, .pause: true
        }
    }
}
