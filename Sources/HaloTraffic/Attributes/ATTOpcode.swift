import HaloProtocol

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

extension ATTOpcode {
    /// How many bytes a packet has at least, its opcode included: Core Specification, volume 3,
    /// part F, section 3.4.
    var minimumLength: Int {
        switch self {
        case .readResponse, .readBlobResponse, .readMultipleResponse,
            .readMultipleVariableResponse, .writeResponse, .executeWriteResponse, .confirmation:
            1
        case .executeWriteRequest:
            2
        case .exchangeMTURequest, .exchangeMTUResponse, .readRequest, .writeRequest,
            .writeCommand, .notification, .indication:
            3
        case .readByTypeResponse:
            4
        case .errorResponse, .findInformationRequest, .findByTypeValueResponse,
            .readBlobRequest, .readMultipleRequest, .readMultipleVariableRequest,
            .prepareWriteRequest, .prepareWriteResponse, .multipleNotifications:
            5
        case .findInformationResponse, .readByGroupTypeResponse:
            6
        case .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            7
        case .signedWriteCommand:
            3 + Self.signatureLength
        }
    }

    /// How many bytes the signature behind a signed write has.
    static let signatureLength = 12
}

/// The types of the attributes that a server's structure is made of.
enum AttributeUUIDs {
    static let primaryService = BluetoothUUID(0x2800)
    static let secondaryService = BluetoothUUID(0x2801)
    static let include = BluetoothUUID(0x2802)
    static let characteristic = BluetoothUUID(0x2803)
    static let clientConfiguration = BluetoothUUID(0x2902)
    static let serviceChanged = BluetoothUUID(0x2A05)
}

/// Numbers of the attribute protocol: the lower byte first.
extension Span<UInt8> {
    /// Two bytes at a place: a handle, an offset, a length; 0 where they are not there.
    @inline(__always)
    func attributeNumber(at offset: Int) -> UInt16 {
        littleEndian16(at: offset) ?? 0
    }

    /// A UUID of 2 or 16 bytes at a place; nothing for another length, or where they are not there.
    func attributeUUID(at offset: Int, count length: Int) -> BluetoothUUID? {
        guard offset >= 0, length >= 0, length <= count, offset <= count - length else {
            return nil
        }
        switch length {
        case 2:
            return BluetoothUUID(UInt32(attributeNumber(at: offset)))
        case 16:
            return BluetoothUUID(
                high: uint64(at: offset + 8, .little), low: uint64(at: offset, .little))
        default:
            return nil
        }
    }
}
