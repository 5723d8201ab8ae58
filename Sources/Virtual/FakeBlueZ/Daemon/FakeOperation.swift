#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// An operation on a device; a link has one at a time, as the attribute protocol demands.
struct FakeOperation {
    struct ID: Hashable, Sendable {
        let device: Int
        let number: UInt64

        /// The token of the answer; only one operation of a device is pending.
        var token: ResponseToken { ResponseToken(UInt32(truncatingIfNeeded: number)) }
    }

    enum Kind {
        case read(Int, offset: Int)
        case readDescriptor(Int, Int, offset: Int)
        case write(AttributeID?, [UInt8], offset: Int, needsEncryption: Bool)
        case subscribe(Int, isOn: Bool, Reason)
    }

    enum Reason {
        case start
        case acquire
        case stop
        /// The renewal of a subscription that a client made before this link.
        case again
        case battery
    }

    let kind: Kind
    /// The client's request; `nil` for an operation of the daemon.
    let request: DBusRequest?
}
#endif
