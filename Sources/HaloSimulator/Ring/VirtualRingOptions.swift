/// How a ``VirtualRing`` comes into the world.
public struct VirtualRingOptions: Hashable, Sendable {
    /// What its clock shows.
    public enum Clock: Hashable, Sendable {
        /// What the wearer's clock shows.
        case right
        /// What it shows when it was never set: a day of the year 2000. What firmware really
        /// shows is not known.
        case factory
        /// The wearer's clock, and so many seconds more.
        case off(seconds: Int)
    }

    /// The whole name, if it is not that of the profile with the end of the address.
    public var name: String?
    /// The last two bytes of its address; nothing lets the seed choose.
    public var addressTail: UInt16?
    /// What decides all that is left to chance.
    public var seed: UInt64
    /// What its clock shows.
    public var clock: Clock
    /// How full its battery is.
    public var batteryPercent: Int
    /// Whether it lies on its charger.
    public var isDocked: Bool
    /// Whether it is worn.
    public var isWorn: Bool
    /// Whether it advertises the short service number as well: one source has rings that do.
    public var advertisesShortService: Bool

    /// A ring with the right time, 80 % full, and worn.
    public init(
        name: String? = nil, addressTail: UInt16? = nil, seed: UInt64 = 1, clock: Clock = .right,
        batteryPercent: Int = 80, isDocked: Bool = false, isWorn: Bool = true,
        advertisesShortService: Bool = false
    ) {
        self.name = name
        self.addressTail = addressTail
        self.seed = seed
        self.clock = clock
        self.batteryPercent = batteryPercent
        self.isDocked = isDocked
        self.isWorn = isWorn
        self.advertisesShortService = advertisesShortService
    }
}
