public import HaloProtocol

/// Many runs, one for each seed of a range, until a rule is broken.
public struct Sweep<Session: SessionUnderTest> {
    /// The seed of the next run.
    public private(set) var seed: UInt64
    /// How many runs there were.
    public private(set) var runs = 0
    /// How the requests of all runs have ended.
    public private(set) var requests = SimulationReport.RequestCounts()
    /// How many faults happened.
    public private(set) var faults = 0
    /// How much time passed where the devices are.
    public private(set) var elapsed: Duration = .zero

    /// Begins with a seed.
    public init(from seed: UInt64, of session: Session.Type) {
        self.seed = seed
    }

    /// Does so many runs, fewer if one breaks a rule; says what it took, then.
    public mutating func run(_ count: Int) -> SweepFailure? {
        for _ in 0..<max(count, 0) {
            let report = Simulation(seed: seed, of: Session.self).run()
            runs += 1
            requests += report.requests
            faults += report.faults.count
            elapsed += report.elapsed
            if !report.violations.isEmpty { return Self.failure(report) }
            seed &+= 1
        }
        return nil
    }

    /// The same run with as few faults as still break a rule.
    ///
    /// Which rule it is may change on the way: what is looked for is the smallest run that is
    /// worth looking at.
    private static func failure(_ report: SimulationReport) -> SweepFailure {
        let seed = report.seed
        let kept = FaultMinimiser().minimise(report.faults.map(\.index)) { indices in
            let report = Simulation<Session>(seed: seed, onlyFaults: Set(indices), of: Session.self)
                .run()
            return !report.violations.isEmpty
        }
        var smallest = Simulation<Session>(seed: seed, onlyFaults: Set(kept), of: Session.self)
        smallest.isTraced = true
        return SweepFailure(first: report, smallest: smallest.run(), faultIndices: kept)
    }
}

extension Sweep where Session == RingSession {
    /// Runs of the session as it is, beginning with a seed.
    public init(from seed: UInt64) {
        self.init(from: seed, of: RingSession.self)
    }
}

/// A run that breaks a rule, and the smallest one like it.
public struct SweepFailure: Sendable {
    /// The run that was met first, with all its faults.
    public let first: SimulationReport
    /// The same run with the fewest faults that were found to be enough, with its trace.
    public let smallest: SimulationReport
    /// The numbers of these faults.
    public let faultIndices: [Int]

    /// The line that does the smallest run again.
    public var reproduction: String {
        let indices = faultIndices.map { "\($0)" }.joined(separator: ",")
        return "halo simulate --seed \(first.seed) --only-faults "
            + (indices.isEmpty ? "none" : indices)
    }
}
