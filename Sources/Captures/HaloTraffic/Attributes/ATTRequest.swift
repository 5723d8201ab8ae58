import HaloProtocol

/// The pending request of an app; there is at most one at a time.
enum ATTRequest: Hashable, Sendable {
    case none
    case mtu(UInt16)
    case findInformation
    case findByTypeValue(service: BluetoothUUID?)
    case readByType(BluetoothUUID)
    case read(UInt16)
    case readBlob(UInt16, Piece)
    case readMultiple
    case readMultipleVariable
    case readByGroupType(BluetoothUUID)
    case write(UInt16)
    case prepareWrite(UInt16)
    case executeWrite
    /// A packet of an unknown opcode, which may be a request.
    case other(UInt8)

    enum Piece: Hashable, Sendable {
        case first
        case next
        /// A piece after a value that seemed to be whole.
        case afterEnd
        /// A piece whose predecessor was not read.
        case stray
    }

    var opcode: UInt8 {
        switch self {
        case .none: 0
        case .mtu: ATTOpcode.exchangeMTURequest.rawValue
        case .findInformation: ATTOpcode.findInformationRequest.rawValue
        case .findByTypeValue: ATTOpcode.findByTypeValueRequest.rawValue
        case .readByType: ATTOpcode.readByTypeRequest.rawValue
        case .read: ATTOpcode.readRequest.rawValue
        case .readBlob: ATTOpcode.readBlobRequest.rawValue
        case .readMultiple: ATTOpcode.readMultipleRequest.rawValue
        case .readMultipleVariable: ATTOpcode.readMultipleVariableRequest.rawValue
        case .readByGroupType: ATTOpcode.readByGroupTypeRequest.rawValue
        case .write: ATTOpcode.writeRequest.rawValue
        case .prepareWrite: ATTOpcode.prepareWriteRequest.rawValue
        case .executeWrite: ATTOpcode.executeWriteRequest.rawValue
        case .other(let opcode): opcode
        }
    }

    /// `true` if a response of this opcode answers the request: its opcode follows that of the
    /// request. Error responses are not included.
    func isAnswered(by response: ATTOpcode) -> Bool {
        isPending && response.rawValue == opcode &+ 1
    }

    /// `true` if a response is certain to be due.
    var isPending: Bool {
        switch self {
        case .none, .other: false
        default: true
        }
    }
}
