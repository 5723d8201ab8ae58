import HaloProtocol

/// What an app has asked a device for and has not been answered yet: one thing at a time.
enum ATTRequest: Hashable, Sendable {
    case none
    case mtu(UInt16)
    case findInformation
    case findByTypeValue(service: BluetoothUUID?)
    case readByType(BluetoothUUID)
    case read(UInt16)
    case readBlob(UInt16, BlobPart)
    case readMultiple
    case readMultipleVariable
    case readByGroupType(BluetoothUUID)
    case write(UInt16)
    case prepareWrite(UInt16)
    case executeWrite
    /// A packet that may be a request and is not known here.
    case other(UInt8)

    /// Which part of a value is asked for by its offset.
    enum BlobPart: Hashable, Sendable {
        /// The first one: the read begins.
        case first
        /// The one behind what has come so far.
        case next
        /// What may lie behind a value that seemed to be whole.
        case afterEnd
        /// One that nothing precedes.
        case stray
    }

    /// The first byte of the request.
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

    /// Whether a packet that begins like this answers the request; errors aside, an answer's
    /// opcode is the next one.
    func isAnswered(by response: ATTOpcode) -> Bool {
        switch self {
        case .none, .other: false
        default: response.rawValue == opcode &+ 1
        }
    }

    /// Whether somebody waits for the answer for certain.
    var isWaitedFor: Bool {
        switch self {
        case .none, .other: false
        default: true
        }
    }
}
