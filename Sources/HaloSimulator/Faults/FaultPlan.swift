/// What goes wrong in an air: by chance that a seed decides, by a script, or both.
public struct FaultPlan: Hashable, Sendable {
    /// The seed of chance.
    public var seed: UInt64
    /// How often things go wrong by chance.
    public var rates: FaultRates
    /// What goes wrong by the script. Of rules that are fulfilled by the same thing, the first
    /// one counts.
    public var rules: [FaultRule]
    /// Faults that do not happen though everything says so, by their number in ``FaultLog``.
    public var disabled: Set<Int>

    /// Nothing goes wrong.
    public static let none = FaultPlan(rules: [])

    /// Chance, a script, or both.
    public init(seed: UInt64 = 0, rates: FaultRates = FaultRates(), rules: [FaultRule] = []) {
        self.seed = seed
        self.rates = rates
        self.rules = rules
        disabled = []
    }

    /// A script of exactly the faults that a log has recorded.
    ///
    /// With the air's seed and what the centrals did unchanged, it makes the same run again. The
    /// faults keep the numbers that they had, so that ``without(_:)`` can leave out single ones:
    /// the others still happen to what they happened to, as far as that still comes by.
    public init(replaying log: FaultLog) {
        self.init(rules: log.records.map(\.rule))
    }

    /// The plan without the faults of these numbers.
    public func without(_ indices: some Sequence<Int>) -> FaultPlan {
        var plan = self
        plan.disabled.formUnion(indices)
        return plan
    }

    /// Whether nothing can go wrong.
    public var isEmpty: Bool { rules.isEmpty && rates == FaultRates() }
}
