#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// An operation on a device; a link has one at a time, as the attribute protocol demands.
enum FakeOperation {
    struct ID: Hashable, Sendable {
        let device: Int
        let number: UInt64

        /// The token of the answer; only one operation of a device is pending.
        var token: ResponseToken { ResponseToken(UInt32(truncatingIfNeeded: number)) }
    }

    enum Reason {
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

    case read(Int, offset: Int, DBusRequest)
    case readDescriptor(Int, Int, offset: Int, DBusRequest)
    case write(AttributeID?, [UInt8], offset: Int, needsEncryption: Bool, DBusRequest)
    case subscribe(Int, isOn: Bool, Reason)
    /// A read that the daemon makes for itself.
    case readOwn(Int)

    /// The client's request; `nil` for an operation of the daemon.
    var request: DBusRequest? {
        switch self {
        case .read(_, _, let request), .readDescriptor(_, _, _, let request),
            .write(_, _, _, _, let request):
            request
        case .subscribe(_, _, let reason): reason.request
        case .readOwn: nil
        }
    }
}
#endif
