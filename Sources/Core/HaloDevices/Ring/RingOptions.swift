public import HaloProtocol
public import HaloTransport

/// The options of a ring's connection. The defaults suit an app that syncs and measures.
public struct RingOptions: Sendable, CustomStringConvertible {
    /// The policy for the ring's clock.
    public var clock: ClockPolicy
    /// The earlier clocks of the ring: ``Ring/clocks`` of the last connection. They determine the
    /// times of stored values in UTC. A clock without ``RingClock/since`` has no known beginning.
    public var earlierClocks: [RingClock]
    /// The zone that the ring is assumed to have shown before the first known clock, for a first
    /// sync: a ring that no program has set to another zone. `nil` if nothing is assumed; values
    /// from before have no time in UTC then. It is ignored if there are ``earlierClocks``. A
    /// `HealthStore` then takes no clock that shows another day for one of another zone.
    public var earlierZone: ClockPolicy.Zone?
    /// The language of the ring's screen, if the ring has one. It is sent with the clock.
    public var language: RingLanguage
    /// The timeouts and limits of the session.
    public var rules: SessionRules
    /// The longest time for scanning: the sum of all scans.
    public var findTimeout: Duration
    /// The time for which the scan continues after the first ring, to prefer a more certain or a
    /// nearer one. Zero takes the first.
    public var findWindow: Duration
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
    public var connectTimeout: Duration
    /// The policy for reconnecting.
    public var reconnect: ReconnectPolicy
    /// Keeps the values that a clock has stored that shows another day, before it is set.
    ///
    /// A ring whose clock is set to another day can no longer be asked for the values that it has
    /// stored until then. So these values are read first, and this function is called with them, on
    /// the task that connects. The clock is set when it returns. If it throws, or does not return
    /// within ``connectTimeout``, the clock is left alone, and the ring keeps the values.
    ///
    ///     options.keepBeforeClockChange = { old in try store.add(HealthRead(old)) }
    ///
    /// With `nil`, a clock that shows another day is left alone: ``Ring/clockShift`` has the
    /// difference, and ``Ring/setClock(_:)`` sets the clock. So is the clock of a ring that has
    /// stored values, and does not report its day. The same holds for later links of the
    /// connection.
    ///
    /// The function must not use the ring, and must not wait on the transport's time.
    public var keepBeforeClockChange: (@Sendable (HistoryBeforeClockChange) async throws -> Void)?
    /// The number of days that are read before a clock that seems to be wrong is set.
    ///
    /// If ``connectTimeout`` passes earlier, the clock is left alone until the app calls
    /// ``Ring/setClock(_:)``, so that the remaining days can still be read. The days that were read
    /// are in ``Ring/historyBeforeClockChange``, the others in its ``RingHistory/failures``.
    ///
    /// With 0, no day is read, and the clock is set all the same: what it has stored is lost. Later
    /// histories leave out these values, as their dates are wrong.
    public var daysReadBeforeClockChange: Int
    /// The maximum number of elements that a sequence buffers for a slow loop, before it drops the
    /// oldest.
    public var bufferLimit: Int
    /// A function that receives the log of each link.
    public var observer: LinkObserver?

    /// Creates options. What is left out has the default.
    public init(
        clock: ClockPolicy = .set(.local), earlierClocks: [RingClock] = [],
        earlierZone: ClockPolicy.Zone? = nil, language: RingLanguage = .english,
        rules: SessionRules = SessionRules(), findTimeout: Duration = .seconds(20),
        findWindow: Duration = .milliseconds(1500), connectTimeout: Duration = .seconds(60),
        reconnect: ReconnectPolicy = .untilConnected,
        keepBeforeClockChange: (@Sendable (HistoryBeforeClockChange) async throws -> Void)? = nil,
        daysReadBeforeClockChange: Int = 7, bufferLimit: Int = 256, observer: LinkObserver? = nil
    ) {
        self.clock = clock
        self.earlierClocks = earlierClocks
        self.earlierZone = earlierZone
        self.language = language
        self.rules = rules
        self.findTimeout = findTimeout
        self.findWindow = findWindow
        self.connectTimeout = connectTimeout
        self.reconnect = reconnect
        self.keepBeforeClockChange = keepBeforeClockChange
        self.daysReadBeforeClockChange = daysReadBeforeClockChange
        self.bufferLimit = bufferLimit
        self.observer = observer
    }

    /// The options that matter most, in words.
    public var description: String {
        let days = daysReadBeforeClockChange
        let oldClock =
            keepBeforeClockChange == nil
            ? "a clock that shows another day is left alone"
            : "\(days) days are kept before a clock that shows another day is set"
        let words = [
            "\(clock)",
            days > 0 ? oldClock : nil,
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
