public import HaloProtocol
public import HaloTransport

/// The options of a ring's connection. The defaults suit an app that syncs and measures.
public struct RingOptions: Sendable, CustomStringConvertible {
    /// The policy for the ring's clock.
    public var clock: ClockPolicy
    /// The earlier clocks of the ring: ``Ring/clocks`` of the last connection. They determine the
    /// times of stored values in UTC. A clock without ``RingClock/since`` has no known beginning.
    public var earlierClocks: [RingClock] = []
    /// The zone that the ring is assumed to have shown before the first known clock, for a first
    /// sync: a ring that no program has set to another zone. `nil` if nothing is assumed; values
    /// from before have no time in UTC then. It is ignored if there are ``earlierClocks``.
    public var earlierZone: ClockPolicy.Zone?
    /// The language of the ring's screen, if the ring has one. It is sent with the clock.
    public var language = RingLanguage.english
    /// The timeouts and limits of the session.
    public var rules = SessionRules()
    /// The longest time for scanning: the sum of all scans.
    public var findTimeout: Duration = .seconds(20)
    /// The time for which the scan continues after the first ring, to prefer a more certain or a
    /// nearer one. Zero takes the first.
    public var findWindow: Duration = .milliseconds(1500)
    /// The timeout of ``Ring/connect(to:over:options:)-(PeripheralIdentity,_,_)``. In
    /// ``Ring/connect(over:options:)``, the first device has this timeout, and all others together
    /// have it once more.
    ///
    /// ``DeviceError/Kind/timedOut`` is thrown if the ring's replies are not subscribed to by then.
    /// Versions, abilities and the clock are optional: their requests are given up at the timeout,
    /// and the ring is connected without them. ``Ring/clock`` shows whether the clock was set. The
    /// timeout of later links is ``ReconnectPolicy/attemptTimeout``. With
    /// ``ReconnectPolicy/waitsForDevice`` the timeout begins with the link.
    ///
    /// The default is enough to read a week before a wrong clock is set.
    public var connectTimeout: Duration = .seconds(60)
    /// The policy for reconnecting.
    public var reconnect = ReconnectPolicy.untilConnected
    /// The number of days that are read before a clock that seems to be wrong is set.
    ///
    /// If ``connectTimeout`` passes earlier, the clock is left alone until the app calls
    /// ``Ring/setClock(_:)``, so that the remaining days can still be read. The days that were read
    /// are in ``Ring/historyBeforeClockChange``, the others in its ``RingHistory/failures``.
    ///
    /// With 0, no day is read. Later histories still leave out the values that the wrong clock has
    /// stored, as their dates are wrong.
    public var daysReadBeforeClockChange = 7
    /// The maximum number of elements that a sequence buffers for a slow loop, before it drops the
    /// oldest.
    public var bufferLimit = 256
    /// A function that receives the log of each link.
    public var observer: LinkObserver?

    /// Creates the default options, or those with another policy for the clock.
    public init(clock: ClockPolicy = .set(.local)) { self.clock = clock }

    /// The options that matter most, in words.
    public var description: String {
        let days = daysReadBeforeClockChange
        let words = [
            "\(clock)",
            days > 0 ? "\(days) days are read before a wrong clock is set" : nil,
            earlierClocks.isEmpty
                ? nil
                : "earlier clocks: \(earlierClocks.map(\.description).joined(separator: ", "))",
            earlierZone.map { "before that, \($0) is assumed" },
            "finding takes \(Wording.duration(findTimeout)) at most",
            "connecting \(Wording.duration(connectTimeout))",
            "\(reconnect)",
        ]
        return words.compactMap(\.self).joined(separator: "; ")
    }
}
