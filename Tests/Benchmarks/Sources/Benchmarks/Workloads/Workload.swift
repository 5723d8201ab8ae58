/// Something long that is measured by itself, against limits of its own: no peer does the same.
struct Workload: Sendable {
    let name: String
    /// What was measured; nothing in it is shown before all is known.
    let measure: @Sendable () async throws -> [Figure]

    /// All of them, in the order of the table: the one that takes the most memory comes last.
    static var all: [Workload] { [ringDay, sync, importing] + notifications + [fleets] }

    /// A limit is missed when it is missed three times: other programs run here too.
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

/// What a number may be at most, or has to be at least.
enum Bound: Sendable {
    case atMost(Double)
    case atLeast(Double)

    func isMissed(by value: Double) -> Bool {
        switch self {
        case .atMost(let limit): value > limit
        case .atLeast(let limit): value < limit
        }
    }
}
