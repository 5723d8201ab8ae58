internal import HaloProtocol
internal import HaloTransport

extension SimulationRun {
    /// Lets a step of the scenario happen.
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
            // What is to be written must be written at once, or the session counts time wrongly.
            guard requests.allSatisfy(\.order.isEmpty) else { return }
            neglectedUntil = air.now + duration
        case .takeOff: modify(index) { $0.takeOff() }
        case .putOn: modify(index) { $0.putOn() }
        case .charge(true): modify(index) { $0.dock() }
        case .charge(false): modify(index) { $0.undock() }
        case .leave(let duration): leave(index, for: duration)
        }
    }

    private func stop(_ number: StreamNumber, _ index: Int) {
        let now = air.now
        apps[index].session.ask { $0.stop(number, at: now) }
    }

    /// Lets the app stop all that it listens to.
    func stopStreams(_ index: Int) {
        for number in streams[index].open { stop(number, index) }
        drain(index)
    }

    /// Lets the app close its link, and connect again after a while.
    func leave(_ index: Int, for duration: Duration) {
        guard let link = apps[index].openLink else { return }
        apps[index].pauseBetweenLinks = duration
        air.disconnect(link)
    }

    /// Lets the app ask, if there is a link to ask over.
    func ask(_ question: Question, _ index: Int) {
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

    /// A ring as it is now.
    func state(_ index: Int) -> DeviceState? {
        air.device(apps[index].device, as: WatchedDevice<VirtualRing>.self).map {
            DeviceState(ring: $0.device, moment: air.now)
        }
    }

    /// Puts down that a rule was broken.
    func note(_ violation: Violation?) {
        guard let violation, report.violations.count < SimulationReport.violationLimit else {
            return
        }
        // What goes on being wrong is said once.
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

    /// Puts down what happens.
    func trace(_ index: Int, _ mark: TraceDigest.Mark, _ words: () -> String) {
        digest.add(air.now, mark)
        guard isTraced else { return }
        let name = apps.count > 1 ? "ring \(index)  " : ""
        report.trace.append("\(air.now)  \(name)\(words())")
    }
}

extension Air {
    /// From now on nothing goes wrong by itself any more.
    func endFaults() { faults.stop() }
}

extension FaultLog {
    /// What happened, for a report.
    var simulated: [SimulatedFault] {
        records.map { record in
            SimulatedFault(
                index: record.index, kind: record.fault.word, description: record.description)
        }
    }
}

extension Fault {
    /// What kind of fault it is, in a word.
    fileprivate var word: String {
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
