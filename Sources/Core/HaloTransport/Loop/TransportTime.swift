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
    func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> BLECancellable

    /// Receives the beginnings and ends of waits, so that virtual time can pass while tasks wait.
    ///
    /// Real time ignores them. All but ``WaitChange/resumes`` come in a turn of the loop, at whose
    /// end time may pass: a request and the beginning of the wait for its reply are one turn. A
    /// task reports itself that it begins to wait and that it resumes, so
    /// `withUnsafeCurrentTask(body:)` tells which task that is. Any thread may report the end of
    /// its wait.
    func waiting(_ change: WaitChange)
}
