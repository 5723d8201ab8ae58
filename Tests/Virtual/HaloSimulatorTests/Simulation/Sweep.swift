import HaloProtocol

@testable import HaloSimulator

/// A series of runs, one for each seed of a range, until a rule is broken.
struct Sweep<Session: SessionUnderTest> {
    /// The seed of the next run.
    private(set) var seed: UInt64
    /// The number of runs.
    private(set) var runs = 0
    /// The number of requests of all runs, by their result.
    private(set) var requests = SimulationReport.RequestCounts()
    /// The number of faults.
    private(set) var faults = 0
    /// The elapsed virtual time.
    private(set) var elapsed: Duration = .zero

    /// Creates a sweep that begins with a seed.
    init(from seed: UInt64, of session: Session.Type) {
        self.seed = seed
    }

    /// Performs up to `count` runs. Returns the first failure, if any.
    mutating func run(_ count: Int) -> SweepFailure? {
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

    /// Repeats a failed run with as few faults as possible that still violate a rule.
    ///
    /// The violated rule may be another one: the result is the smallest failing run.
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

/// A failed run, and the smallest failing run with the same seed.
struct SweepFailure: CustomStringConvertible, Sendable {
    /// The failed run with all its faults.
    let first: SimulationReport
    /// The run with the fewest faults that still fails, with its trace.
    let smallest: SimulationReport
    /// The indices of the faults of ``smallest``.
    let faultIndices: [Int]

    /// The command that repeats the smallest run, and prints its trace.
    var reproduction: String {
        let indices = faultIndices.map { "\($0)" }.joined(separator: ",")
        return "HALO_SWEEP_SEED=\(first.seed) HALO_SWEEP_FAULTS="
            + (indices.isEmpty ? "none" : indices) + " swift test --filter SimulationSweepTests"
    }

    /// The seed, the broken rules, the faults that are enough to break them, and the command.
    var description: String {
        let rules = smallest.violations.map { "  rule broken: \($0)" }
        let faults = smallest.faults.map { "  fault \($0.description)" }
        let count = "  \(smallest.faults.count) of its \(first.faults.count) faults are enough"
        return (["seed \(first.seed) breaks a rule"] + rules + [count] + faults + [reproduction])
            .joined(separator: "\n")
    }
}

/// Finds a small part of a list of faults that still makes a run fail.
///
/// Delta debugging: the list is cut into pieces. A piece, or all but a piece, replaces the list if
/// the run still fails. If no piece can be left out, the pieces become smaller.
struct FaultMinimiser {
    /// The maximum number of runs.
    var attemptLimit = 400

    /// Returns the smallest failing part found.
    func minimise(_ indices: [Int], fails: ([Int]) -> Bool) -> [Int] {
        guard !indices.isEmpty else { return indices }
        var attempts = 1
        if fails([]) { return [] }
        var kept = indices
        var pieceCount = 2
        while kept.count > 1 {
            guard let smaller = reduced(kept, pieceCount, &attempts, fails) else {
                guard pieceCount < kept.count, attempts < attemptLimit else { break }
                pieceCount = min(pieceCount * 2, kept.count)
                continue
            }
            pieceCount = smaller.isPiece ? 2 : max(pieceCount - 1, 2)
            kept = smaller.kept
        }
        return kept
    }

    private func reduced(
        _ kept: [Int], _ pieceCount: Int, _ attempts: inout Int, _ fails: ([Int]) -> Bool
    ) -> (kept: [Int], isPiece: Bool)? {
        let bounds = (0...pieceCount).map { kept.count * $0 / pieceCount }
        for isPiece in [true, false] where isPiece || pieceCount > 2 {
            for (start, end) in zip(bounds, bounds.dropFirst()) where start < end {
                guard attempts < attemptLimit else { return nil }
                attempts += 1
                let part =
                    isPiece ? Array(kept[start..<end]) : Array(kept[..<start] + kept[end...])
                if fails(part) { return (part, isPiece) }
            }
        }
        return nil
    }
}
