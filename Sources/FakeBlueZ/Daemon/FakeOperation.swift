#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// Something that a device is asked, one after the other on a link, as the attribute protocol
/// has it.
enum FakeOperation {
    case read(Int, offset: Int, DBusRequest)
    case readDescriptor(Int, Int, offset: Int, DBusRequest)
    case write(AttributeID?, [UInt8], offset: Int, needsEncryption: Bool, DBusRequest)
    case subscribe(Int, isOn: Bool, FakeSubscribing)
    /// The daemon reads something for itself.
    case readOwn(Int)

    /// Who asks, if it is a client.
    var request: DBusRequest? {
        switch self {
        case .read(_, _, let request), .readDescriptor(_, _, _, let request),
            .write(_, _, _, _, let request):
            request
        case .subscribe(_, _, let why): why.request
        case .readOwn: nil
        }
    }
}

/// Why a subscription begins or ends.
enum FakeSubscribing {
    case start(DBusRequest, client: String)
    case acquire(DBusRequest, client: String)
    case stop(DBusRequest?)
    /// A client has had it since before this link.
    case again
    case battery

    var request: DBusRequest? {
        switch self {
        case .start(let request, _), .acquire(let request, _): request
        case .stop(let request): request
        case .again, .battery: nil
        }
    }
}

/// What a device is asked now, and what waits.
struct FakeOperations {
    var waiting = FIFO<FakeOperation>()
    var current: (operation: FakeOperation, number: UInt64)?
    /// What is being written, or waits to be.
    var written: Set<AttributeID> = []
    /// The current one when somebody looked at the clock last.
    var seen: UInt64?
}
#endif
