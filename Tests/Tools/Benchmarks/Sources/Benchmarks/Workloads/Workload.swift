/// A long run that is measured alone, against its own limits: it has no peer.
struct Workload: Sendable {
    let name: String
    /// Measures the run. Returns all figures at once; none is shown before.
    let measure: @Sendable () async throws -> [Figure]

    /// All workloads in the order of the table. The one that needs the most memory comes last.
    static var all: [Workload] {
        [ringDay, sync, health, importing, commandLine] + notifications + [fleets]
    }

    /// Measures up to three times, until the limits are met: other programs run here too.
    func measureUntilWithinLimits() async throws -> [Figure] {
        var figures = try await measure()
        for _ in 0..<2 where figures.contains(where: \.isMissed) {
            let again = try await measure()
            figures = zip(figures, again).map { $0.isMissed ? $1 : $0 }
        }
        return figures
    }
}

/// A measured number.
struct Figure: Sendable {
    let name: String
    let value: Double
    let unit: String
    var bound: Bound?

    var isMissed: Bool { bound?.isMissed(by: value) ?? false }
}

/// A limit of a figure: an upper or a lower one.
enum Bound: Sendable {
    case atMost(Double)
    case atLeast(Double)

    func isMissed(by value: Double) -> Bool {
        // A value that is no number is missed, too.
        switch self {
        case .atMost(let limit): !(value <= limit)
        case .atLeast(let limit): !(value >= limit)
        }
    }
}
