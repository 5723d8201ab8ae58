import HaloProtocol
import HaloTransport

@testable import HaloSimulator

/// A run in progress: its apps and devices, and the state of the checked rules.
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

    /// The end of the app's suspension: incoming packets wait.
    var pausedUntil = Moment.origin
    /// The end of the time in which effects are not fetched.
    var neglectedUntil = Moment.origin
    /// The index of the next step, followed by the moment at which it is due.
    private var step = 0
    private var stepDue = Moment.origin
    private var isUnderWay = false
    /// The number of rounds at the same moment.
    private var work = 0
    private var workMoment = Moment.origin
    /// `true` once the run repeats work without an end.
    var isEndless = false

    /// The longest stall of an earlier fault that may still last.
    static var longestStall: Duration { .seconds(8) }

    /// The maximum number of rounds at one moment.
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

    /// Runs the scenario, and returns the report.
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

    /// `true` if the run need not continue.
    var isStuck: Bool {
        isEndless || report.violations.count >= SimulationReport.violationLimit
    }

    /// The next moment at which an event, a step or a deadline is due.
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

    /// Runs everything that is due up to and including a moment.
    private func advance(to moment: Moment) {
        air.advance(to: moment)
        countWork()
        readRecords()
        guard air.now >= pausedUntil else { return }
        processOutputs()
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

    /// Advances time until every request has ended, up to a timeout.
    private func settle() {
        let limit = air.now + scenario.settleTimeout
        wait(until: limit) {
            self.requests.allSatisfy(\.order.isEmpty)
                && self.air.now >= max(self.pausedUntil, self.neglectedUntil)
        }
    }

    /// Requests the battery level on a link without further faults.
    private func finish(_ index: Int) {
        air.endFaults()
        // A ring with an empty battery cannot reply.
        if state(index)?.ring.isPoweredOff == true {
            perform(ScenarioStep(delay: .zero, ring: index, action: .charge(true)))
        }
        wait(until: air.now + Self.longestStall) { false }
        let limit = air.now + scenario.settleTimeout
        for attempt in 1...4 {
            guard !isStuck else { return }
            wait(until: limit) { self.apps[index].openLink != nil }
            if isImpaired(index) {
                disconnect(index, for: .seconds(1))
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
            // An earlier fault may still end the link; the next link is tried then.
            if air.now < limit, apps[index].openLink == nil, attempt < 4 { continue }
            let details = "ring \(index) does not say how full its battery is, on a clean link"
            return note(Violation(.unusable, at: air.now, details))
        }
    }

    /// Advances time until a condition holds, up to a limit.
    private func wait(until limit: Moment, _ isDone: () -> Bool) {
        while air.now < limit, !isStuck, !isDone() { advance(to: nextMoment(or: limit)) }
    }

    /// `true` if a fault has impaired the link until its end: a silence, or a lost subscription.
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

    /// Checks the writes, packets and states recorded by the devices.
    func readRecords() {
        for index in records.indices {
            for entry in records[index].drain() {
                switch entry {
                case .arrived(_, let bytes):
                    let violation = requests[index].arrived(bytes, at: air.now) {
                        doublings(of: bytes)
                    }
                    note(violation)
                case .sent(let channel, let bytes):
                    requests[index].sent(bytes, on: channel)
                case .state(let ring, let moment):
                    requests[index].add(DeviceState(ring: ring, moment: moment))
                }
            }
        }
    }

    /// The number of times that faults have duplicated a write.
    private func doublings(of bytes: [UInt8]) -> Int {
        air.faultLog.records.count {
            $0.subject == .write && $0.fault == .duplication && $0.bytes == bytes
        }
    }

    /// `true` if a session cannot detect the faults that happened.
    ///
    /// A ring answers a duplicated write twice. The second reply cannot be distinguished from the
    /// reply to the next request of the same command. Nor can a reply that arrives after the
    /// timeout for late replies.
    private func isBeyondKnowing(_ request: OpenRequest, _ index: Int) -> Bool {
        var late = Duration.zero
        for record in air.faultLog.records.reversed() {
            guard record.moment > air.now - .seconds(60) else { break }
            guard record.device == apps[index].device else { continue }
            if record.fault == .duplication, record.subject == .write,
                request.asked.mark.asks(record.bytes)
            {
                return true
            }
            if case .delay(let duration) = record.fault { late += duration }
            if case .stall(let duration) = record.fault { late += duration }
        }
        return late > scenario.rules.lateReplyTimeout
    }

    /// Processes every output of the air.
    func processOutputs() {
        while air.now >= pausedUntil, let output = air.nextOutput() {
            receive(output)
            readRecords()
        }
    }

    private func receive(_ output: AirOutput) {
        switch output {
        case .connected(let link, let tag):
            let index = app(of: tag)
            trace(index, .link) { "the link has come about" }
            apps[index].connected(link, air)
        case .services(let services, let tag):
            apps[app(of: tag)].discovered(services, air)
        case .done(let tag):
            guard purpose(of: tag) == .subscribe else { return }
            let index = app(of: tag)
            guard apps[index].isCurrent(tag) else { return }
            if apps[index].subscribed(rules: scenario.rules) {
                requests[index].beginLink()
                trace(index, .link) { "the link can be used" }
            }
        case .failed(let error, let tag):
            let index = app(of: tag)
            trace(index, .link) { "failed: \(error)" }
            guard apps[index].isCurrent(tag) else { return }
            apps[index].failed(purpose(of: tag), air)
        case .event(let link, let event):
            receive(event, link)
        case .heard, .value, .rssi, .timer: break
        }
    }

    private func receive(_ event: LinkEvent, _ link: AirLinkNumber) {
        guard let index = apps.firstIndex(where: { $0.device == link.device }) else { return }
        switch event {
        case .value(let attribute, let bytes):
            guard apps[index].openLink == link,
                let channel = apps[index].channel(of: attribute)
            else { return }
            digest.add(bytes)
            trace(index, .delivered) { "← \(HexText.bytes(bytes, separator: " "))" }
            apps[index].session.receive(bytes, on: channel, at: air.now)
            drain(index)
        case .disconnected(let reason):
            trace(index, .link) { "the link has ended: \(reason)" }
            guard apps[index].disconnected(link, at: air.now) else { return }
            apps[index].session.disconnect(at: air.now)
            neglectedUntil = air.now
            drain(index)
            requests[index].leftOpen(at: air.now).forEach(note)
            streams[index].leftOpen(at: air.now).forEach(note)
            requests[index].beginLink()
            streams[index].beginLink()
        case .servicesChanged, .maximumLengthChanged: break
        }
    }

    /// Ticks a session that is due.
    func tick(_ index: Int) {
        var rounds = 0
        while apps[index].openLink != nil, let due = apps[index].session.deadline, due <= air.now {
            apps[index].session.tick(at: air.now)
            drain(index)
            rounds += 1
            guard rounds < 1000 else {
                let details = "a session wants to be told the same time again and again"
                note(Violation(.endlessWork, at: air.now, details))
                isEndless = true
                return
            }
        }
    }

    /// Performs the effects of a session, and checks its deadline.
    func drain(_ index: Int) {
        guard air.now >= neglectedUntil else { return }
        var count = 0
        let open = requests[index].order.count + streams[index].open.count
        while let effect = apps[index].session.nextEffect() {
            count += 1
            perform(effect, index)
        }
        // Completions and writes are never dropped; the number of writes is small.
        if count > scenario.rules.effectLimit + open + 24 {
            let details = "\(count) effects had been waiting to be fetched"
            note(Violation(.unboundedMemory, at: air.now, details))
        }
        let waits = !requests[index].order.isEmpty || !streams[index].open.isEmpty
        if waits, apps[index].openLink != nil, apps[index].session.deadline == nil {
            let details = "requests or streams are open, and the session has no deadline"
            note(Violation(.noDeadline, at: air.now, details))
        }
    }

    private func perform(_ effect: RingSession.Effect, _ index: Int) {
        switch effect {
        case .write(let frame, _):
            write(Array(frame.bytes), on: .uart, index)
        case .writeRecord(let record, _):
            write(record.bytes, on: .bigData, index)
        case .finished(let completion):
            let request = requests[index].open[completion.number]
            var (violation, words) = requests[index].finished(
                completion, state(index), at: air.now)
            if violation != nil, let request, isBeyondKnowing(request, index) { violation = nil }
            digest.add(completion.number.rawValue)
            trace(index, .finished) { words }
            note(violation)
        case .stream(let number, let report):
            digest.add(number.rawValue)
            trace(index, .stream) { "stream \(number.rawValue): \(report)" }
            note(streams[index].reported(number, report, at: air.now))
        case .event(let event):
            trace(index, .event) { "unasked: \(event)" }
        }
    }

    private func write(_ bytes: [UInt8], on channel: RingChannel, _ index: Int) {
        digest.add(bytes)
        trace(index, .written) { "→ \(HexText.bytes(bytes, separator: " "))" }
        note(requests[index].written(bytes, at: air.now))
        apps[index].write(bytes, on: channel, air)
    }

    private func app(of tag: UInt64) -> Int {
        min(SimulatedApp<Session>.index(of: tag), apps.count - 1)
    }

    private func purpose(of tag: UInt64) -> SimulatedApp<Session>.Purpose? {
        .init(rawValue: tag & 0xFF)
    }

    /// Performs a step of the scenario.
    func perform(_ step: ScenarioStep) {
        let index = min(max(step.ring, 0), apps.count - 1)
        trace(index, .step) { step.action.description }
        switch step.action {
        case .ask(let question): ask(question, index)
        case .cancel(let newest):
            guard let number = requests[index].number(newest: newest) else { return }
            apps[index].session.cancel(number, at: air.now)
        case .startStream(let stream):
            guard apps[index].openLink != nil else { return }
            let now = air.now
            let number = apps[index].session.ask { $0.start(stream, at: now) }
            streams[index].began(number)
        case .stopStream:
            if let number = streams[index].open.last { stop(number, index) }
        case .pauseApp(let duration): pausedUntil = air.now + duration
        case .neglectSession(let duration):
            // Writes must not be delayed, or the session's timeouts would be wrong.
            guard requests.allSatisfy(\.order.isEmpty) else { return }
            neglectedUntil = air.now + duration
        case .takeOff: modify(index) { $0.takeOff() }
        case .putOn: modify(index) { $0.putOn() }
        case .charge(true): modify(index) { $0.dock() }
        case .charge(false): modify(index) { $0.undock() }
        case .disconnect(let duration): disconnect(index, for: duration)
        }
    }

    private func stop(_ number: StreamNumber, _ index: Int) {
        let now = air.now
        apps[index].session.ask { $0.stop(number, at: now) }
    }

    /// Stops every stream of an app.
    func stopStreams(_ index: Int) {
        for number in streams[index].open { stop(number, index) }
        drain(index)
    }

    /// Disconnects an app, which reconnects after a while.
    func disconnect(_ index: Int, for duration: Duration) {
        guard let link = apps[index].openLink else { return }
        apps[index].pauseBetweenLinks = duration
        air.disconnect(link)
    }

    /// Makes a request, if there is a link.
    func ask(_ question: SimulatedRequest, _ index: Int) {
        guard apps[index].openLink != nil else { return }
        let now = air.now
        let today = air.wallClock().local
        let asked = apps[index].session.ask { question.ask(&$0, now, today) }
        guard let asked else { return }
        note(requests[index].asked(OpenRequest(question, asked), at: now))
    }

    private func modify(_ index: Int, _ change: (inout VirtualRing) -> Void) {
        _ = air.modify(apps[index].device, as: WatchedDevice<VirtualRing>.self) {
            change(&$0.device)
        }
    }

    /// The current state of a ring.
    func state(_ index: Int) -> DeviceState? {
        air.device(apps[index].device, as: WatchedDevice<VirtualRing>.self).map {
            DeviceState(ring: $0.device, moment: air.now)
        }
    }

    /// Reports a violation.
    func note(_ violation: Violation?) {
        guard let violation, report.violations.count < SimulationReport.violationLimit else {
            return
        }
        // A violation that persists is reported once.
        if let last = report.violations.last, last.kind == violation.kind,
            last.details == violation.details
        {
            return
        }
        report.violations.append(violation)
        digest.add(violation.moment, .violation)
        if isTraced {
            report.trace.append("\(violation.moment)  RULE BROKEN: \(violation.details)")
        }
    }

    /// Adds an event to the digest, and a line to the trace.
    func trace(_ index: Int, _ mark: TraceDigest.Mark, _ words: () -> String) {
        digest.add(air.now, mark)
        guard isTraced else { return }
        let name = apps.count > 1 ? "ring \(index)  " : ""
        report.trace.append("\(air.now)  \(name)\(words())")
    }
}

extension Air {
    /// Ends random and scripted faults.
    func endFaults() { faults.stop() }
}

extension LinkFault {
    /// The name of the kind in reports.
    fileprivate var name: String {
        switch self {
        case .loss: "loss"
        case .duplication: "duplication"
        case .reordering: "reordering"
        case .corruption: "corruption"
        case .truncation: "truncation"
        case .delay: "delay"
        case .stall: "stall"
        case .disconnection: "disconnection"
        case .refusal: "refusal"
        case .silence: "silence"
        case .refusedCommand: "refused-command"
        case .shortPackets: "short-packets"
        case .failedConnection: "failed-connection"
        }
    }
}

extension FaultLog {
    /// The faults of the log for a report.
    var simulated: [SimulatedFault] {
        records.map { record in
            SimulatedFault(
                index: record.index, kind: record.fault.name,
                description: record.description)
        }
    }
}

/// A hash of all events of a run, in order.
struct TraceDigest: Hashable, Sendable {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a number.
    mutating func add(_ number: UInt64) {
        var mixed = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 29
        value = mixed &* 0xBF58_476D_1CE4_E5B9 ^ mixed >> 32
    }

    /// Adds the moment and the kind of an event.
    mutating func add(_ moment: Moment, _ mark: Mark) {
        add(UInt64(bitPattern: moment.microseconds) &* 16 &+ mark.rawValue)
    }

    /// Adds bytes, eight at a time.
    mutating func add(_ bytes: [UInt8]) {
        var word: UInt64 = UInt64(truncatingIfNeeded: bytes.count)
        for (index, byte) in bytes.enumerated() {
            word = word << 8 | UInt64(byte)
            if index & 7 == 7 {
                add(word)
                word = 0
            }
        }
        add(word)
    }

    /// The kinds of events.
    enum Mark: UInt64 {
        case step, written, delivered, finished, event, stream, link, violation
    }
}
