#if os(Linux)
internal import HaloDBus

/// The reason for the start or the end of a subscription.
enum FakeSubscriptionReason {
    case start(DBusRequest)
    case acquire(DBusRequest)
    case stop(DBusRequest?)
    /// The renewal of a subscription that a client made before this link.
    case again
    case battery

    var request: DBusRequest? {
        switch self {
        case .start(let request), .acquire(let request): request
        case .stop(let request): request
        case .again, .battery: nil
        }
    }
}
#endif
