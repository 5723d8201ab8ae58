public import HaloProtocol

/// The time of a backend's devices: the system's, or virtual.
public protocol TransportTime: Sendable {
    /// The loop in which everything happens on this time: always the same one.
    var loop: TransportLoop { get }

    /// The clock of this time, for `sleep`.
    var clock: any Clock<Duration> { get }

    /// Reads the current moment on the transport's timeline.
    func now() -> Moment

    /// Reads the local date and time with the offset from UTC.
    func wallClock() -> WallClock

    /// Calls a function at a moment, unless cancelled before. It must not wait for another thread.
    func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> Cancellable

    /// Receives the beginnings and ends of waits, so that virtual time can pass while tasks wait.
    ///
    /// Real time ignores them. The calls come in a turn of the loop, at whose end time may pass: a
    /// request and the beginning of the wait for its reply are one turn.
    func waiting(_ change: WaitChange)
}

/// A change in the waits of tasks.
public enum WaitChange: Hashable, Sendable {
    /// A task begins to wait for an event: a reply, the end of a sleep, the end of a link.
    case begins
    /// A wait for an event has ended; reported before the task is resumed.
    case ends
    /// A task begins to wait for an element of a sequence, which may never come.
    case listeningBegins
    /// A wait for an element has ended: the element has come, or the task was cancelled.
    case listeningEnds
    /// A task begins to sleep.
    case sleepBegins
    /// A sleep has ended.
    case sleepEnds
    /// An action of several turns begins: virtual time does not pass before its end, except in the
    /// waits of that action.
    case actionBegins
    /// The action is over.
    case actionEnds
}

/// A local date and time with its offset from UTC.
public struct WallClock: Hashable, Sendable {
    /// The local date and time.
    public let local: CivilDateTime
    /// The seconds by which local time is ahead of UTC.
    public let secondsFromUTC: Int

    /// Creates a local date and time with its offset from UTC.
    public init(local: CivilDateTime, secondsFromUTC: Int) {
        self.local = local
        self.secondsFromUTC = secondsFromUTC
    }

    /// The same moment in UTC.
    public var utc: CivilDateTime {
        local.advanced(bySeconds: secondsFromUTC == .min ? .max : -secondsFromUTC)
    }
}

/// An activity that continues until it is cancelled, such as an observation, a scan, a timer or an
/// attempt.
///
/// Dropping the value does not cancel the activity.
public struct Cancellable: Sendable {
    private let end: @Sendable () -> Void

    /// Creates a cancellable from a function that ends the activity. The function may be called
    /// more than once.
    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends the activity. A callback that is already under way may still come.
    public func cancel() { end() }
}
