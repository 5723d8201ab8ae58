internal import HaloProtocol
public import HaloTransport

/// A ring that does not exist: it answers as rings of its profile do, from one state.
///
/// What it stores and measures comes from a ``Wearer``; what it says of itself, what it refuses
/// and where it is peculiar from a ``RingProfile``. It is a value: the same events at the same
/// moments have the same effects, to the byte.
///
/// - It answers the requests of each of its two services one at a time and in order, after the
///   time that rings take. Of requests that come too fast some are lost.
/// - It ignores what is no frame, or has a wrong checksum, and counts it.
/// - What it sends while nobody has subscribed is lost.
/// - Without a central it sleeps; what it would have stored meanwhile is there when it is asked.
///
/// What was observed of rings and what is a choice is said where it stands: in the profiles, in
/// ``RingConductTable``, and beside the numbers.
public struct VirtualRing: GATTPeripheral {
    /// The kind of ring.
    public let profile: RingProfile
    /// Who wears it, or would.
    public let wearer: Wearer
    /// How it was made.
    public let options: VirtualRingOptions
    /// What an app has set.
    public internal(set) var settings: RingSettings
    /// What the ring did not take in, and what it lost.
    public internal(set) var losses = RingLosses()

    /// The wearer's clock.
    var world: RingClock
    /// The ring's own clock.
    var clock: RingClock
    /// The latest moment that it was told; time does not go back.
    var lastMoment = Moment.origin
    var body: BodyClock
    var memory: RingMemory
    var battery: RingBattery
    /// When the battery will be empty, if nothing changes.
    var emptyAt: Moment?
    /// When something is stored next, while somebody may want to hear of it.
    var storeDue: Moment?
    var isOff = false
    /// When it comes back from restarting.
    var restartsAt: Moment?
    var isOnFinger: Bool
    /// What somebody did to it from outside and it has not noticed yet.
    var outside: [OutsideChange] = []

    var link: RingLink?
    var outbox = RingOutbox()
    var commands = RingLane<Frame>()
    var records = RingLane<BigDataFrame>()
    /// Effects other than notifications, in order.
    var wishes: [PeripheralEffect] = []
    var dice: RingDice

    var measurement: LiveMeasurement?
    var legacy: LegacyStream?
    /// When raw sensor values are due, if they are streamed.
    var rawStream: Moment?
    var workout: RunningWorkout?
    var isCameraOpen = false
    /// Until when its light is on.
    var litUntil: Moment?
    /// When the next report of steps is due while the wearer walks.
    var walk: Moment?
    /// What the last report of steps said.
    var reported = Movement.none
    let days: Int

    /// A ring of a kind that somebody has worn for some days.
    ///
    /// It has on store what a ring keeps of these days.
    public init(
        _ profile: RingProfile, wearer: Wearer = Wearer(), days: Int = 7,
        options: VirtualRingOptions = VirtualRingOptions()
    ) {
        self.profile = profile
        self.wearer = wearer
        self.options = options
        settings = profile.factorySettings
        world = RingClock(showing: RingClock.factoryTime, at: .origin)
        clock = world
        dice = RingDice(seed: options.seed ^ wearer.seed &* 31)
        body = BodyClock(wearer)
        memory = RingMemory(
            retention: profile.retention, now: RingClock.factoryTime,
            wearerTime: RingClock.factoryTime)
        battery = RingBattery(
            percent: options.batteryPercent,
            capacityMicroampereHours: profile.batteryMicroampereHours,
            isOnDock: options.isDocked)
        isOnFinger = options.isWorn && !options.isDocked
        self.days = min(max(days, 0), 60)
    }
}
