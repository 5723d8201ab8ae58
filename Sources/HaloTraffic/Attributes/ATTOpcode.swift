/// The first byte of an attribute protocol packet: what it is.
///
/// An enumeration of what is known; a byte beyond it is an unknown packet.
enum ATTOpcode: UInt8, Hashable, Sendable, CaseIterable {
    case errorResponse = 0x01
    case exchangeMTURequest = 0x02
    case exchangeMTUResponse = 0x03
    case findInformationRequest = 0x04
    case findInformationResponse = 0x05
    case findByTypeValueRequest = 0x06
    case findByTypeValueResponse = 0x07
    case readByTypeRequest = 0x08
    case readByTypeResponse = 0x09
    case readRequest = 0x0A
    case readResponse = 0x0B
    case readBlobRequest = 0x0C
    case readBlobResponse = 0x0D
    case readMultipleRequest = 0x0E
    case readMultipleResponse = 0x0F
    case readByGroupTypeRequest = 0x10
    case readByGroupTypeResponse = 0x11
    case writeRequest = 0x12
    case writeResponse = 0x13
    case prepareWriteRequest = 0x16
    case prepareWriteResponse = 0x17
    case executeWriteRequest = 0x18
    case executeWriteResponse = 0x19
    case notification = 0x1B
    case indication = 0x1D
    case confirmation = 0x1E
    case readMultipleVariableRequest = 0x20
    case readMultipleVariableResponse = 0x21
    case multipleNotifications = 0x23
    case writeCommand = 0x52
    case signedWriteCommand = 0xD2

    /// Whether the side that holds the attributes sends it.
    var isFromServer: Bool {
        switch self {
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse,
            .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
            .readMultipleResponse, .readByGroupTypeResponse, .writeResponse,
            .prepareWriteResponse, .executeWriteResponse, .notification, .indication,
            .readMultipleVariableResponse, .multipleNotifications:
            true
        default:
            false
        }
    }
}
