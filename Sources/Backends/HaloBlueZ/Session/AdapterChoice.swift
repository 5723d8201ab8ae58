#if os(Linux)
internal import HaloDBus
internal import HaloTransport

struct AdapterChoice: Sendable {
    /// The callback with an adapter that is on, or with the reason why there is none.
    typealias Continuation = @Sendable (inout BlueZSession, Result<DBusObjectPath, Outage>) -> Void

    enum Switching: Hashable, Sendable {
        case asked
        /// The daemon has replied; the property changes a moment later.
        case done
        case refused(Outage)
    }

    static let maximumWaiting = 1024
    static let timeout: Duration = .seconds(30)
    /// The time for `Powered` to change after the daemon's reply.
    static let powerOnTimeout: Duration = .seconds(3)

    var chosen: DBusObjectPath?
    var waiting: [Continuation] = []
    /// The timer of the next review without an event.
    var timer: BlueZSession.TimerNumber?
    var deadline: BlueZSession.TimerNumber?
    var switching: Switching?
    var observers: [UInt64: @Sendable (AdapterState) -> Void] = [:]
    var lastState = AdapterState.unknown
}
#endif
