public import HaloProtocol

/// The faults of an air: random ones decided by a seed, scripted ones, or both.
public struct FaultPlan: Hashable, Sendable {
    /// The seed of the random faults.
    package var seed: UInt64
    /// The rates of the random faults.
    package var rates: FaultRates
    /// The scripted faults. Of several rules that match the same packet, the first applies.
    package var rules: [FaultRule]
    /// Faults that are skipped, by their index in ``FaultLog``.
    package var disabled: Set<Int>

    /// A plan without faults.
    public static let none = FaultPlan(rules: [])

    /// Creates a plan of random faults, scripted faults, or both.
    public init(seed: UInt64 = 0, rates: FaultRates = FaultRates(), rules: [FaultRule] = []) {
        self.seed = seed
        self.rates = rates
        self.rules = rules
        disabled = []
    }

    /// Creates a script of exactly the faults in a log.
    ///
    /// With the same air seed and the same calls by the centrals, it reproduces the run. Faults
    /// keep their index, so that ``disabling(_:)`` can leave out single ones; the others still hit
    /// the same packets, as far as those are still sent.
    public init(replaying log: FaultLog) {
        self.init(rules: log.records.map(\.rule))
    }

    /// Returns the plan without the faults of these indices: they stay in it, and do not happen.
    public func disabling(_ indices: some Sequence<Int>) -> FaultPlan {
        var plan = self
        plan.disabled.formUnion(indices)
        return plan
    }

    package var isEmpty: Bool { rules.isEmpty && rates == FaultRates() }
}

/// The condition of a scripted fault: a moment, or the n-th matching packet.
public struct FaultTrigger: Hashable, Sendable {
    package enum Occasion: Hashable, Sendable {
        /// A moment of the air's time, which allows only a stall or a disconnection.
        case moment(Moment)
        case subject(FaultSubject)
    }

    package var occasion: Occasion
    /// The 1-based index among the packets that match every other condition.
    package var number = 1
    /// The characteristic, or `nil` for any.
    package var characteristic: BluetoothUUID?
    package var beginning: [UInt8] = []
    /// The first bytes of the write after which counting starts: a frame's opcode, or a record's
    /// first two bytes. `nil` starts counting at once.
    package var afterWriteOf: [UInt8]?

    /// Returns the trigger for a moment of the air's time.
    public static func at(_ moment: Moment) -> FaultTrigger {
        FaultTrigger(occasion: .moment(moment))
    }

    /// Returns the trigger for a notification or indication by its 1-based index.
    public static func notification(
        _ number: Int = 1, of characteristic: BluetoothUUID? = nil, beginning: [UInt8] = [],
        afterWriteOf: [UInt8]? = nil
    ) -> FaultTrigger {
        nth(
            number, .notification, of: characteristic, beginning: beginning,
            afterWriteOf: afterWriteOf)
    }

    /// Returns the trigger for a written value by its 1-based index.
    public static func write(
        _ number: Int = 1, to characteristic: BluetoothUUID? = nil, beginning: [UInt8] = [],
        afterWriteOf: [UInt8]? = nil
    ) -> FaultTrigger {
        nth(
            number, .write, of: characteristic, beginning: beginning,
            afterWriteOf: afterWriteOf)
    }

    /// Returns the trigger for a read by its 1-based index.
    public static func read(
        _ number: Int = 1, of characteristic: BluetoothUUID? = nil
    ) -> FaultTrigger { nth(number, .read, of: characteristic) }

    /// Returns the trigger for turning notifications on or off, by its 1-based index.
    public static func subscription(
        _ number: Int = 1, of characteristic: BluetoothUUID? = nil
    ) -> FaultTrigger { nth(number, .subscription, of: characteristic) }

    /// Returns the trigger for a connection by its 1-based index.
    public static func connection(_ number: Int = 1) -> FaultTrigger {
        nth(number, .connection)
    }

    /// Returns the trigger for any subject by its 1-based index, as a log numbers them.
    static func nth(
        _ number: Int, _ subject: FaultSubject, of characteristic: BluetoothUUID? = nil,
        beginning: [UInt8] = [], afterWriteOf: [UInt8]? = nil
    ) -> FaultTrigger {
        FaultTrigger(
            occasion: .subject(subject), number: number, characteristic: characteristic,
            beginning: beginning, afterWriteOf: afterWriteOf)
    }
}
