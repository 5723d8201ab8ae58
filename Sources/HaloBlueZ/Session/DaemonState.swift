#if os(Linux)
internal import HaloDBus
internal import HaloProtocol

/// How far things are with the bus and the daemon.
struct DaemonState: Sendable {
    /// How far they are.
    enum Phase: Hashable, Sendable {
        /// Nobody has asked yet.
        case unasked
        /// The bus is being connected to, or the daemon asked for its objects.
        case loading
        /// The mirror shows what the daemon has.
        case loaded
        /// There is none.
        case gone(Outage)
    }

    /// How many signals are kept that come before the daemon's objects. If there are more, none
    /// is: a daemon that answers in order has told in its answer what they say.
    static let maximumEarly = 4096
    /// How long a daemon that has just come may take to find its adapters and switch them on.
    static let settlingTime: Duration = .seconds(2)

    var phase = Phase.unasked
    /// The name that the bus gave the daemon.
    var owner: String?
    /// Numbers connections: what an earlier one still says counts no more.
    var connection: UInt64 = 0
    /// Whether there is a connection, or will be.
    var isOpen = false
    /// The question for all objects, while it is not answered.
    var question: BlueZSession.CallNumber?
    /// What was said before the answer.
    var early: [DBusSignal] = []
    /// Until when a daemon that has just come is not taken at its word about adapters.
    var settlesAt = Moment.origin
}
#endif
