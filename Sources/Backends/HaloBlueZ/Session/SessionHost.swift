#if os(Linux)
internal import HaloDBus
internal import HaloProtocol

/// A hosted device with its callbacks, requests and timer.
struct SessionHost: Sendable {
    var machine: HostMachine
    let client: any HostClient
    /// The daemon's requests that wait for a reply.
    var requests: [UInt64: DBusRequest] = [:]
    /// The timer for the machine's deadline; it may fire early.
    var alarm: (timer: BlueZSession.TimerNumber, due: Moment)?
}
#endif
