public import HaloProtocol

/// The time where a backend's devices are: that of the system, or a virtual one.
public protocol TransportTime: Sendable {
    /// A clock to sleep on.
    var clock: any Clock<Duration> { get }

    /// Where on the transport's timeline it is now.
    func now() -> Moment

    /// What a clock on the wall shows, and how far it is ahead of UTC.
    func wallClock() -> WallClock

    /// Calls a function when a moment has come, unless cancelled before.
    func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> Registration

    /// Somebody begins to wait for what a device will do, or no longer does.
    ///
    /// Real time takes no notice. On virtual time, it is when somebody waits that time passes.
    /// It is said outside of all locks. Who may be answered by another thread says that the wait
    /// begins before that thread can know of it, and says both within an action: so the beginning
    /// comes before the end, and no time passes before the wait can be ended.
    func waiting(_ change: WaitChange)
}

/// Whether somebody waits.
public enum WaitChange: Hashable, Sendable {
    /// Somebody waits for something that will come: an answer, a beat, an end.
    case begins
    /// That wait is over; said before whoever waited goes on.
    case ends
    /// Somebody listens for what may come or not.
    case listeningBegins
    /// Nobody listens any more, or something came.
    case listeningEnds
    /// Somebody does something in several steps, and holds up what others do meanwhile: virtual
    /// time does not jump before they are done.
    case actionBegins
    /// They are done.
    case actionEnds
}

/// What a clock on the wall shows.
public struct WallClock: Hashable, Sendable {
    /// The day and the time of day, here.
    public let local: CivilDateTime
    /// How many seconds the clock here is ahead of UTC.
    public let secondsFromUTC: Int

    /// A clock.
    public init(local: CivilDateTime, secondsFromUTC: Int) {
        self.local = local
        self.secondsFromUTC = secondsFromUTC
    }

    /// The same moment in UTC.
    public var utc: CivilDateTime {
        local.advanced(bySeconds: secondsFromUTC == .min ? .max : -secondsFromUTC)
    }
}

/// Something that goes on until it is cancelled: an observation, a scan, a timer, an attempt.
public struct Registration: Sendable {
    private let end: @Sendable () -> Void

    /// Something that ends by calling a function, which may be called more than once.
    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends it. What was under way may still come once; nothing comes later.
    public func cancel() { end() }
}
