public import HaloProtocol
public import HaloTransport

/// How a ring is connected to and spoken with. The defaults suit an app that syncs and measures.
public struct RingOptions: Sendable {
    /// What becomes of the ring's clock.
    public var clock = ClockPolicy.set(.local)
    /// The language of the ring's screen, if it has one; it travels with the clock.
    public var language = RingLanguage.english
    /// How patient the conversation is.
    public var rules = SessionRules()
    /// The longest time to listen for rings, in sum.
    public var findTimeout: Duration = .seconds(20)
    /// The time to go on listening after the first device that may be a ring, so that a surer or
    /// a nearer one is preferred. Zero takes the first.
    public var findWindow: Duration = .milliseconds(1500)
    /// The longest time until there is a link on which the ring sends its answers, for each
    /// device that is tried. What is asked then has deadlines of its own: see ``SessionRules``.
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
