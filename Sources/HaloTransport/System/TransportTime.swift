public import HaloProtocol

/// The time where a backend's devices are: that of the system, or a virtual one.
public protocol TransportTime: Sendable {
    /// A clock to sleep on.
    var clock: any Clock<Duration> { get }

    /// The current moment on the transport's timeline.
    func now() -> Moment

    /// The local time, and how far it is ahead of UTC.
    func wallClock() -> WallClock

    /// Calls a function when a moment has come, unless cancelled before.
    func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> Registration

    /// Is told that a task begins to wait for what a device will do, or no longer does.
    ///
    /// Real time takes no notice. Virtual time passes only while tasks wait. It is told outside of
    /// all locks. A wait that another thread may end is told before that thread can know of it,
    /// and both within an action: so the beginning comes before the end, and no time passes before
    /// the wait can be ended.
    func waiting(_ change: WaitChange)
}

/// A change in what tasks wait for.
public enum WaitChange: Hashable, Sendable {
    /// A task waits for something that will come: an answer, a beat, an end.
    case begins
    /// That wait is over; told before the task goes on.
    case ends
    /// A task listens for what may come or not.
    case listeningBegins
    /// It listens no more, or something came.
    case listeningEnds
    /// An action of several steps begins: virtual time does not jump before it is over.
    case actionBegins
    /// The action is over.
    case actionEnds
}

/// The time that a clock on the wall shows.
public struct WallClock: Hashable, Sendable {
    /// The day and the time of day, here.
    public let local: CivilDateTime
    /// The seconds by which the clock here is ahead of UTC.
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

    /// Something that a function ends, which may be called more than once.
    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends it. What was under way may still come once; nothing comes later.
    public func cancel() { end() }
}
