internal import HaloProtocol

/// What came of a run.
public struct SimulationReport: Sendable {
    /// The number that the run was made from.
    public let seed: UInt64
    /// The rules that were broken; empty if all is well. At most ``violationLimit``.
    public internal(set) var violations: [Violation] = []
    /// The faults that happened, each with the number by which it can be left out.
    public internal(set) var faults: [SimulatedFault] = []
    /// How the requests have ended.
    public internal(set) var requests = RequestCounts()
    /// How many streams were begun.
    public internal(set) var streams = 0
    /// How much time passed where the devices are.
    public internal(set) var elapsed: Duration = .zero
    /// A number that is the same just when the same happened, in the same order.
    public internal(set) var digest: UInt64 = 0
    /// What happened, a line each, if that was wanted.
    public internal(set) var trace: [String] = []

    /// More violations of one run than this are not kept: they follow from the first.
    public static let violationLimit = 16

    init(seed: UInt64) {
        self.seed = seed
    }

    /// How many requests ended how.
    public struct RequestCounts: Hashable, Sendable {
        /// With a value.
        public internal(set) var answered = 0
        /// With the ring's "no".
        public internal(set) var refused = 0
        /// With the ring's "nothing stored".
        public internal(set) var withoutData = 0
        /// With an error, after as many attempts as are allowed.
        public internal(set) var failed = 0

        /// All of them.
        public var total: Int { answered + refused + withoutData + failed }

        static func += (left: inout RequestCounts, right: RequestCounts) {
            left.answered += right.answered
            left.refused += right.refused
            left.withoutData += right.withoutData
            left.failed += right.failed
        }
    }
}

/// A fault that happened in a run.
public struct SimulatedFault: Hashable, Sendable {
    /// Its number, the same in every run of the seed.
    public let index: Int
    /// What went wrong, in a word: `loss`, `corruption`.
    public let kind: String
    /// What happened, and when.
    public let description: String

    init(index: Int, kind: String, description: String) {
        self.index = index
        self.kind = kind
        self.description = description
    }
}
