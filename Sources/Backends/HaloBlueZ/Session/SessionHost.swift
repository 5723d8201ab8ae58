#if os(Linux)
internal import HaloProtocol

struct SessionHost: Sendable {
    var machine: HostMachine
    let perform: @Sendable (HostEffect) -> Void
    /// The timer for the machine's deadline; it may fire early.
    var alarm: (timer: BlueZSession.TimerNumber, due: Moment)?
}
#endif
