internal import HaloTransport

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

    /// The attribute, the properties of which it needs one, and the length of a written value;
    /// `nil` for a discovery.
    var needs: (attribute: AttributeID, properties: GATTProperties, length: Int)? {
        switch kind {
        case .discover: nil
        case .read(let id): (id, .read, 0)
        case .write(let id, let value): (id, .write, value.count)
        case .command(let id, let value): (id, .writeWithoutResponse, value.count)
        case .subscribe(let id, _): (id, [.notify, .indicate], 0)
        }
    }

    var name: BLEError.Operation {
        switch kind {
        case .discover: .discover
        case .read: .read
        case .write, .command: .write
        case .subscribe: .subscribe
        }
    }
}
