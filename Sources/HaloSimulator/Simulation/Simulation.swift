public import HaloProtocol

/// One run of everything: apps with their sessions, links with their faults, rings with their
/// wearers, on virtual time and in one loop.
///
/// All of it is made up from one number, so the same number is the same run, to the last byte. A
/// run checks rules, and reports what broke one:
///
/// - each request ends once, and each stream does;
/// - an answer is what the device held at some time after the request was made, or there is none;
/// - it is made of what the device sent for it, and nothing of it is missing;
/// - what may happen only once is written once, also when it was not answered;
/// - nothing waits without a deadline, and nothing keeps busy without time passing;
/// - what waits to be fetched stays within the limits of ``SessionRules``;
/// - after all that, on a clean link, a request for the battery's level is answered.
///
/// The faults are those of a radio that loses and delays, and of devices that are slow or silent.
/// Bits are flipped so that checksums tell: one bit always changes the sum of a frame, and the CRC
/// of a record. A sum of sixteen bytes cannot tell everything, two flipped bits can leave it as it
/// was; then a session that believes the frame does nothing wrong, so this does not happen here.
public struct Simulation<Session: SessionUnderTest> {
    /// The number that the run is made from.
    public let seed: UInt64
    /// Of the faults of the run, the numbers of those that happen; nothing means all.
    public let onlyFaults: Set<Int>?
    /// Whether it is written down what happens.
    public var isTraced = false
    /// How long the run is and what happens in it.
    public var extent = SimulationExtent.minutes

    /// A run that follows from a number.
    public init(seed: UInt64, onlyFaults: Set<Int>? = nil, of session: Session.Type) {
        self.seed = seed
        self.onlyFaults = onlyFaults
    }

    /// Does it.
    ///
    /// A run of some of the faults is the whole run again, with a script in place of chance: what
    /// a fault leads to may be missing then, and others than those of the list never happen.
    public func run() -> SimulationReport {
        let scenario = Scenario(seed: seed, extent)
        let whole = SimulationRun<Session>(
            scenario, scenario.faults, isTraced: isTraced && onlyFaults == nil)
        let report = whole.run()
        guard let onlyFaults else { return report }
        return SimulationRun<Session>(
            scenario, whole.air.faultLog.plan(only: onlyFaults), isTraced: isTraced
        ).run()
    }
}

extension Simulation where Session == RingSession {
    /// A run of the session as it is.
    public init(seed: UInt64, onlyFaults: Set<Int>? = nil) {
        self.init(seed: seed, onlyFaults: onlyFaults, of: RingSession.self)
    }
}

/// How much happens in a run.
public enum SimulationExtent: Hashable, Sendable {
    /// An app that is used for a few minutes.
    case minutes
    /// A week in which an app asks now and then, with every kind of fault.
    case week
}

extension FaultLog {
    /// A script of some of the faults that have happened.
    func plan(only indices: Set<Int>) -> FaultPlan {
        FaultPlan(replaying: self).without(records.map(\.index).filter { !indices.contains($0) })
    }
}
