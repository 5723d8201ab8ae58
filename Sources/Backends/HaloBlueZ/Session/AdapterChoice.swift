#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// The adapter in use, and its observers.
struct AdapterChoice: Sendable {
    /// The callback with an adapter that is on, or with the reason why there is none.
    typealias Continuation = @Sendable (inout BlueZSession, Result<DBusObjectPath, Outage>) -> Void

    enum Switching: Hashable, Sendable {
        case asked
        /// The daemon has replied; the property changes a moment later.
        case done
        case refused(Outage)
    }

    /// The maximum number of callbacks that wait for an adapter.
    static let maximumWaiting = 1024
    /// The timeout of the callbacks' wait.
    static let timeout: Duration = .seconds(30)
    /// The time for `Powered` to change after the daemon's reply.
    static let powerOnTimeout: Duration = .seconds(3)

    var chosen: DBusObjectPath?
    var waiting: [Continuation] = []
    /// The timer of the next review without an event.
    var timer: BlueZSession.TimerNumber?
    /// The timer of ``timeout``.
    var deadline: BlueZSession.TimerNumber?
    /// The progress of powering on.
    var switching: Switching?
    var observers: [UInt64: @Sendable (AdapterState) -> Void] = [:]
    /// The last state that was reported to the observers.
    var lastState = AdapterState.unknown
}
#endif
