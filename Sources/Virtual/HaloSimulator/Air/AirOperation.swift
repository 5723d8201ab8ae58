internal import HaloTransport

/// An operation that a central has requested on a link.
struct AirOperation {
    enum Kind {
        case discover
        case read(AttributeID)
        case write(AttributeID, [UInt8])
        case command(AttributeID, [UInt8])
        case subscribe(AttributeID, isOn: Bool)
    }

    let kind: Kind
    let tag: UInt64

    /// The operation's name in errors.
    var name: BLEError.Operation {
        switch kind {
        case .discover: .discover
        case .read: .read
        case .write, .command: .write
        case .subscribe: .subscribe
        }
    }
}
