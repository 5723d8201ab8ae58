#if canImport(CoreBluetooth)
internal import HaloProtocol
internal import HaloTransport

enum LinkRequest: Sendable {
    case discover(BLECompletion<[GATTService]>)
    case read(AttributeID, BLECompletion<[UInt8]>)
    case write([UInt8], AttributeID, WriteMode, BLECompletion<Void>)
    case setNotify(Bool, AttributeID, BLECompletion<Void>)
    case readRSSI(BLECompletion<Int>)

    var operation: BLEError.Operation {
        switch self {
        case .discover: .discover
        case .read: .read
        case .write: .write
        case .setNotify(let isOn, _, _): isOn ? .subscribe : .unsubscribe
        case .readRSSI: .readRSSI
        }
    }

    var attribute: AttributeID? {
        switch self {
        case .read(let id, _), .write(_, let id, _, _), .setNotify(_, let id, _): id
        case .discover, .readRSSI: nil
        }
    }

    func fail(_ error: BLEError) {
        switch self {
        case .discover(let completion): completion(.failure(error))
        case .read(_, let completion): completion(.failure(error))
        case .write(_, _, _, let completion): completion(.failure(error))
        case .setNotify(_, _, let completion): completion(.failure(error))
        case .readRSSI(let completion): completion(.failure(error))
        }
    }
}
#endif
