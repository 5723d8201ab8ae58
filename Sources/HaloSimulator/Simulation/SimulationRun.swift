internal import HaloProtocol
internal import HaloTransport

/// A run that goes on: what there is of apps and devices, and what was seen of rules so far.
final class SimulationRun<Session: SessionUnderTest> {
    let scenario: Scenario
    let air: Air
    var apps: [SimulatedApp<Session>] = []
    var requests: [RequestLedger] = []
    var streams: [StreamLedger] = []
    var records: [DeviceRecord<VirtualRing>] = []
    var report: SimulationReport
    var digest = TraceDigest()
    let isTraced: Bool

    /// What comes is not taken in until then.
    var pausedUntil = Moment.origin
    /// What sessions say is not looked at until then.
    var neglectedUntil = Moment.origin
    /// The place of the next step, and when it is due.
    private var step = 0
    private var stepDue = Moment.origin
    private var isUnderWay = false
    /// How much was done at the same moment.
    private var work = 0
    private var workMoment = Moment.origin
    /// The run goes round and round.
    var isEndless = false

    /// How long a link may be quiet because of a fault that began earlier.
    static var longestStall: Duration { .seconds(8) }

    /// More than this at one moment is no work any more.
    static var workLimit: Int { 200_000 }

    init(_ scenario: Scenario, _ faults: FaultPlan, isTraced: Bool) {
        self.scenario = scenario
        self.isTraced = isTraced
        report = SimulationReport(seed: scenario.seed)
        air = Air(seed: scenario.seed, startingAt: scenario.start, faults: faults)
        for (index, ring) in scenario.rings.enumerated() {
            let record = DeviceRecord<VirtualRing>()
            let device = air.add(WatchedDevice(ring, record: record))
            records.append(record)
            requests.append(RequestLedger())
            streams.append(StreamLedger())
            apps.append(
                SimulatedApp(
                    index: index, device: device, central: CentralNumber(0),
                    writeMode: scenario.writeMode, rules: scenario.rules))
        }
    }

    /// Lets everything happen, and says what came of it.
    func run() -> SimulationReport {
        let latest = Moment.origin + .seconds(8)
        wait(until: latest) { self.apps.allSatisfy { $0.openLink != nil } }
        stepDue = air.now + (scenario.steps.first?.delay ?? .zero)
        isUnderWay = true
        while step < scenario.steps.count, !isStuck { advance(to: nextMoment(or: nil)) }
        settle()
        for index in apps.indices { finish(index) }
        report.violations += requests.flatMap { $0.leftOpen(at: air.now) }
        report.violations += streams.flatMap { $0.leftOpen(at: air.now) }
        report.violations = Array(report.violations.prefix(SimulationReport.violationLimit))
        for ledger in requests { report.requests += ledger.counts }
        report.streams = streams.reduce(0) { $0 + $1.begun }
        report.elapsed = air.now.duration(since: .origin)
        report.faults = air.faultLog.simulated
        report.digest = digest.value
        return report
    }

    /// Whether going on would tell nothing new.
    var isStuck: Bool {
        isEndless || report.violations.count >= SimulationReport.violationLimit
    }

    /// The next moment at which something is due.
    private func nextMoment(or limit: Moment?) -> Moment {
        if air.now < pausedUntil { return min(air.nextEventTime ?? pausedUntil, pausedUntil) }
        var next = limit ?? max(stepDue, neglectedUntil)
        if let event = air.nextEventTime { next = min(next, event) }
        for app in apps {
            if let moment = app.deadline { next = min(next, moment) }
            if app.openLink != nil, let moment = app.session.deadline { next = min(next, moment) }
        }
        if air.now < neglectedUntil { next = min(next, neglectedUntil) }
        return max(next, air.now)
    }

    /// Does everything that is due until a moment, and at it.
    private func advance(to moment: Moment) {
        air.advance(to: moment)
        countWork()
        readRecords()
        guard air.now >= pausedUntil else { return }
        takeOutputs()
        for index in apps.indices {
            apps[index].connectIfDue(air)
            tick(index)
        }
        while isUnderWay, step < scenario.steps.count,
            max(stepDue, pausedUntil, neglectedUntil) <= air.now
        {
            perform(scenario.steps[step])
            step += 1
            if step < scenario.steps.count { stepDue = air.now + scenario.steps[step].delay }
        }
        for index in apps.indices { drain(index) }
    }

    /// Lets time pass until nothing is open any more, or until that has taken too long.
    private func settle() {
        let limit = air.now + scenario.patience
        wait(until: limit) {
            self.requests.allSatisfy(\.order.isEmpty)
                && self.air.now >= max(self.pausedUntil, self.neglectedUntil)
        }
    }

    /// Asks once more, on a link that works: nothing goes wrong any more.
    private func finish(_ index: Int) {
        air.endFaults()
        // Nobody can ask an empty ring.
        if state(index)?.ring.isPoweredOff == true {
            perform(ScenarioStep(delay: .zero, ring: index, action: .charge(true)))
        }
        wait(until: air.now + Self.longestStall) { false }
        let limit = air.now + scenario.patience
        for attempt in 1...4 {
            guard !isStuck else { return }
            wait(until: limit) { self.apps[index].openLink != nil }
            if isImpaired(index) {
                leave(index, for: .seconds(1))
                wait(until: limit) { self.apps[index].openLink == nil }
                wait(until: limit) { self.apps[index].openLink != nil }
            }
            stopStreams(index)
            wait(until: limit) { self.streams[index].open.isEmpty }
            let answered = requests[index].counts.answered
            ask(.battery, index)
            drain(index)
            wait(until: limit) { self.requests[index].order.isEmpty }
            guard requests[index].counts.answered == answered else { return }
            // What went wrong before may still end the link: then there is another one.
            if air.now < limit, apps[index].openLink == nil, attempt < 4 { continue }
            let details = "ring \(index) does not say how full its battery is, on a clean link"
            return note(Violation(.unusable, at: air.now, details))
        }
    }

    /// Lets time pass until something is so, or has not become so in time.
    private func wait(until limit: Moment, _ isDone: () -> Bool) {
        while air.now < limit, !isStuck, !isDone() { advance(to: nextMoment(or: limit)) }
    }

    /// Whether the link suffers for good from something that went wrong on it.
    private func isImpaired(_ index: Int) -> Bool {
        air.faultLog.records.contains { record in
            record.device == apps[index].device && record.moment >= apps[index].linkedAt
                && (record.fault == .silence
                    || record.subject == .subscription && record.fault == .loss)
        }
    }

    private func countWork() {
        if workMoment != air.now { work = 0 }
        workMoment = air.now
        work += 1
        guard work > Self.workLimit else { return }
        isEndless = true
        note(Violation(.endlessWork, at: air.now, "the run goes on and time does not pass"))
    }
}
