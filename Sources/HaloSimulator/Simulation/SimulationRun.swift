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
    /// How much was done at the same moment.
    private var work = 0
    private var workMoment = Moment.origin

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
        if let first = scenario.steps.first { stepDue = Moment.origin + first.delay }
    }

    /// Lets everything happen, and says what came of it.
    func run() -> SimulationReport {
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
    var isStuck: Bool { report.violations.count >= SimulationReport.violationLimit }

    /// The next moment at which something is due.
    private func nextMoment(or limit: Moment?) -> Moment {
        var next = limit ?? stepDue
        if let event = air.nextEventTime { next = min(next, event) }
        let isPaused = air.now < pausedUntil
        if isPaused { return min(next, pausedUntil) }
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
        readRecords()
        guard air.now >= pausedUntil else { return }
        takeOutputs()
        for index in apps.indices {
            apps[index].connectIfDue(air)
            tick(index)
        }
        while step < scenario.steps.count, stepDue <= air.now, air.now >= pausedUntil {
            perform(scenario.steps[step])
            step += 1
            if step < scenario.steps.count { stepDue = air.now + scenario.steps[step].delay }
        }
        for index in apps.indices { drain(index) }
        countWork()
    }

    /// Lets time pass until nothing is open any more, or until that has taken too long.
    private func settle() {
        let limit = air.now + scenario.patience
        while air.now < limit, !isStuck {
            let isBusy = requests.contains { !$0.order.isEmpty } || air.now < pausedUntil
            guard isBusy else { break }
            advance(to: nextMoment(or: limit))
        }
    }

    /// Asks once more, on a link that works.
    private func finish(_ index: Int) {
        guard !isStuck else { return }
        air.endFaults()
        let limit = air.now + scenario.patience
        perform(ScenarioStep(delay: .zero, ring: index, action: .stopStream))
        while air.now < limit, apps[index].openLink == nil || !streams[index].open.isEmpty {
            advance(to: nextMoment(or: limit))
        }
        let answered = requests[index].counts.answered
        ask(.battery, index)
        drain(index)
        while air.now < limit, !requests[index].order.isEmpty {
            advance(to: nextMoment(or: limit))
        }
        guard requests[index].counts.answered == answered else { return }
        note(
            Violation(
                .unusable, at: air.now,
                "ring \(index) does not answer a request for its battery's level on a clean link"))
    }

    private func countWork() {
        if workMoment != air.now { work = 0 }
        workMoment = air.now
        work += 1
        guard work > Self.workLimit else { return }
        for _ in 0..<SimulationReport.violationLimit {
            note(Violation(.endlessWork, at: air.now, "the run goes on and time does not pass"))
        }
    }
}
