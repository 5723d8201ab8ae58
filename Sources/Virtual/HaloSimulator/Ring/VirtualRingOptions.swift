internal import HaloTransport

/// The options of a ``VirtualRing``.
public struct VirtualRingOptions: Hashable, Sendable {
    /// The state of the ring's clock.
    public enum Clock: Hashable, Sendable {
        /// The clock shows the wearer's time.
        case right
        /// The clock is unset and shows a day of the year 2000. The factory time of real firmware
        /// is not known.
        case factory
        /// The clock is ahead of the wearer's time by this many seconds.
        case off(seconds: Int)
    }

    /// The whole advertised name, or `nil` for the profile's prefix and ``addressTail``.
    public var name: String?
    /// The last two bytes of the address in the name and in the system ID, or `nil` to derive them
    /// from the seed. The air or daemon that the ring is added to chooses its address itself.
    public var addressTail: UInt16?
    /// The seed of all random values.
    public var seed: UInt64
    /// The state of the ring's clock.
    public var clock: Clock
    /// The battery level in percent.
    public var batteryPercent: Int
    /// `true` if it is on the charger.
    public var isDocked: Bool
    /// `true` if it is worn.
    public var isWorn: Bool
    /// `true` if the ring also advertises the 16-bit service, as rings of one source do.
    public var advertisesShortService: Bool
    /// The faults of its replies. Of several for the same request, the first one applies until its
    /// count is over.
    public var faults: [RingFault]
    /// The anomalies of what it stores and reports.
    public var anomalies: RingAnomalies

    /// Creates options; by default a worn ring with the right time and a level of 80 %.
    public init(
        name: String? = nil, addressTail: UInt16? = nil, seed: UInt64 = 1, clock: Clock = .right,
        batteryPercent: Int = 80, isDocked: Bool = false, isWorn: Bool = true,
        advertisesShortService: Bool = false, faults: [RingFault] = [],
        anomalies: RingAnomalies = []
    ) {
        self.name = name
        self.addressTail = addressTail
        self.seed = seed
        self.clock = clock
        self.batteryPercent = batteryPercent
        self.isDocked = isDocked
        self.isWorn = isWorn
        self.advertisesShortService = advertisesShortService
        self.faults = faults
        self.anomalies = anomalies
    }

    /// The options of a ring with a bad week, for tests with many seeds: the seed picks its
    /// anomalies, and decides when they happen.
    ///
    /// Each anomaly is there in half of all weeks, but ``RingAnomalies/clockAhead`` in one of
    /// eight. In one of sixteen the ring lay in a drawer, and stores heart rates there.
    public static func badWeek(seed: UInt64) -> VirtualRingOptions {
        var dice = SplitMix(seed: seed)
        var options = VirtualRingOptions(
            seed: seed,
            anomalies: RingAnomalies(
                rawValue: UInt16(truncatingIfNeeded: dice.next()) & RingAnomalies.all.rawValue))
        if dice.next(1...4) > 1 { options.anomalies.remove(.clockAhead) }
        if dice.next(1...8) == 1, options.anomalies.contains(.unwornHeartRates) {
            options.isWorn = false
        }
        return options
    }
}
