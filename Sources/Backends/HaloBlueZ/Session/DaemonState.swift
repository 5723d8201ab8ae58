#if os(Linux)
internal import HaloDBus
internal import HaloProtocol

struct DaemonState: Sendable {
    enum Phase: Hashable, Sendable {
        case unasked
        /// Connecting to the bus, or waiting for the daemon's objects.
        case loading
        case loaded
        case gone(Outage)
    }

    /// The maximum number of signals kept before the daemon's objects are loaded. If there are
    /// more, all are dropped: a daemon that replies in order has their content in its reply.
    static let maximumEarlySignals = 4096
    /// The time for a new daemon to find its adapters and power them on.
    static let settlingTime: Duration = .seconds(2)

    var phase = Phase.unasked
    /// The daemon's unique name on the bus.
    var owner: String?
    /// The generation of the connection; events of earlier ones are ignored.
    var connection: UInt64 = 0
    /// `true` if there is a connection, or an attempt to connect.
    var isOpen = false
    var pendingCall: BlueZSession.CallNumber?
    var earlySignals: [DBusSignal] = []
    /// The time until which a new daemon's adapters may be incomplete.
    var settlesAt = Moment.origin
}
#endif
