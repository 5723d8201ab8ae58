#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// An operation on a device; a link has one at a time, as the attribute protocol demands.
enum FakeOperation {
    case read(Int, offset: Int, DBusRequest)
    case readDescriptor(Int, Int, offset: Int, DBusRequest)
    case write(AttributeID?, [UInt8], offset: Int, needsEncryption: Bool, DBusRequest)
    case subscribe(Int, isOn: Bool, FakeSubscriptionReason)
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
