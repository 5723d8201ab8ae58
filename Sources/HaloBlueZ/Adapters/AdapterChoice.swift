#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// Which adapter is used, and who wants to know of it.
struct AdapterChoice: Sendable {
    /// Goes on with an adapter that is on, or with the reason why there is none.
    typealias Continuation =
        @Sendable (inout BlueZSession, Result<DBusObjectPath, Outage>) -> Void

    /// How far switching on is.
    enum Switching: Hashable, Sendable {
        case asked
        /// The daemon says that it is done; the adapter says so a moment later.
        case done
        case refused(Outage)
    }

    /// How many may wait for an adapter at most.
    static let maximumWaiting = 1024
    /// How long they wait at most, whatever daemon and adapters do meanwhile.
    static let patience: Duration = .seconds(30)
    /// How long an adapter may take to be on after the daemon has said that it is.
    static let switchingTime: Duration = .seconds(3)

    /// The adapter that is used.
    var chosen: DBusObjectPath?
    /// Who waits for one that is on.
    var waiting: [Continuation] = []
    /// When it is looked again, though nothing was said.
    var timer: BlueZSession.TimerNumber?
    /// When they have waited long enough.
    var deadline: BlueZSession.TimerNumber?
    /// How far switching on is, if it was tried for those who wait.
    var switching: Switching?
    /// Who hears of each state.
    var observers: [UInt64: @Sendable (AdapterState) -> Void] = [:]
    /// The state that they heard of last.
    var told = AdapterState.unknown
}

/// Several outcomes of asking whether an adapter can be used.
enum Usability: Hashable, Sendable {
    case usable(DBusObjectPath)
    /// It will be known later.
    case later
    /// It is off, and may be switched on.
    case off(DBusObjectPath)
    case not(Outage)
}

extension Outage: Error {}
#endif
