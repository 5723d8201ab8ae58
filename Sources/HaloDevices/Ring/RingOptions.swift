public import HaloProtocol
public import HaloTransport

/// How a ring is connected to and spoken with. The defaults suit an app that syncs and measures.
public struct RingOptions: Sendable {
    /// What becomes of the ring's clock.
    public var clock = ClockPolicy.set(.local)
    /// The clocks that the ring has had before, as ``Ring/clocks`` said them then: from these it is
    /// known when in UTC something was stored. One without ``RingClock/since`` was there always.
    public var earlierClocks: [RingClock] = []
    /// The language of the ring's screen, if it has one; it travels with the clock.
    public var language = RingLanguage.english
    /// How patient the conversation is.
    public var rules = SessionRules()
    /// How long a ring is looked for.
    public var findTimeout: Duration = .seconds(20)
    /// How long it may take until there is a link on which the ring sends its answers. What is
    /// asked then has deadlines of its own: see ``SessionRules``.
    public var connectTimeout: Duration = .seconds(30)
    /// Whether a lost link is made again.
    public var reconnect = ReconnectPolicy.untilConnected
    /// How many days are read before a clock is set that seems to be wrong.
    public var daysBeforeClockIsSet = 7
    /// How many elements a sequence holds for a loop that is slow, before it drops the oldest.
    public var bufferLimit = 256
    /// Is told of everything that goes over the link, for a log.
    public var observer: LinkObserver?

    /// The defaults.
    public init() {}

    /// The defaults, with another policy for the clock.
    public init(clock: ClockPolicy) {
        self.clock = clock
    }
}
