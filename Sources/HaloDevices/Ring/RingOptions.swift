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
    /// The longest time to listen for rings, in sum.
    public var findTimeout: Duration = .seconds(20)
    /// The time to go on listening after the first device that may be a ring, so that a surer or
    /// a nearer one is preferred. Zero takes the first.
    public var findWindow: Duration = .milliseconds(1500)
    /// The longest time from the attempt to make a link until
    /// ``Ring/connect(to:over:options:)`` returns; for ``Ring/connect(over:options:)`` also that
    /// for the first device that it tries, and that for all others together.
    ///
    /// ``DeviceError/Kind/connectTimedOut`` is thrown when until then there is no link on which the
    /// ring sends its answers. The rest is good to have: versions, what the ring can do, and the
    /// clock. What has not come in time is given up, and the ring is connected; ``Ring/clock``
    /// says whether its clock was set. For later links the limit is
    /// ``ReconnectPolicy/attemptTimeout``.
    ///
    /// The default has room for a week that is read before a wrong clock is set.
    public var connectTimeout: Duration = .seconds(60)
    /// Whether a lost link is made again.
    public var reconnect = ReconnectPolicy.untilConnected
    /// How many days are read before a clock is set that seems to be wrong.
    ///
    /// Where ``connectTimeout`` passes before they have been read, what was read is in
    /// ``Ring/readBeforeClockWasSet``, with what was not in ``RingHistory/failures``. The clock is
    /// then left alone, so that the ring still has the rest, until the app sets it with
    /// ``Ring/setClock(_:)``.
    public var daysBeforeClockIsSet = 7
    /// How many elements a sequence holds for a loop that is slow, before it drops the oldest.
    public var bufferLimit = 256
    /// Is told of everything that goes over the link, for a log.
    public var observer: LinkObserver?

    /// The defaults.
    public init() {}

    /// The defaults, with another policy for the clock.
    public init(clock: ClockPolicy) { self.clock = clock }
}

/// What becomes of a ring's clock when it is connected to.
///
/// A ring has no time zone: it shows what the last app has set, counts its days from its own
/// midnight, and cannot be asked for the time. What setting it would put out of reach is read
/// before; ``Ring/readBeforeClockWasSet`` has it.
public enum ClockPolicy: Hashable, Sendable {
    /// It is set to the time of a zone, after what would be out of reach then has been read.
    case set(Zone)
    /// It is left alone; days and times are taken to be those of a zone.
    case leave(assuming: Zone)

    /// It is left alone, and taken to show the local time.
    public static let leave = ClockPolicy.leave(assuming: .local)

    /// Which zone's time a ring shows.
    public enum Zone: Hashable, Sendable {
        /// That of the computer; what it is at the time of setting holds until it is set again.
        case local
        /// That of UTC.
        case utc
        /// So many seconds ahead of UTC.
        case secondsFromUTC(Int)

        /// How many seconds it is ahead of UTC, by a clock on the wall.
        public func secondsFromUTC(_ clock: WallClock) -> Int {
            switch self {
            case .local: clock.secondsFromUTC
            case .utc: 0
            case .secondsFromUTC(let seconds): seconds
            }
        }
    }

    /// The zone that a ring shows, or is taken to show.
    public var zone: Zone {
        switch self {
        case .set(let zone), .leave(let zone): zone
        }
    }
}
