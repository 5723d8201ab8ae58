import HaloProtocol

/// The first byte of an attribute protocol packet. Any other byte is an unknown packet.
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

    /// `true` for packets from the server, the side that holds the attributes: their opcodes are
    /// odd.
    var isFromServer: Bool { rawValue & 1 == 1 }

    /// `true` for requests of a discovery, which ask for no value.
    var isDiscovery: Bool {
        switch self {
        case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest,
            .readByGroupTypeRequest:
            true
        default:
            false
        }
    }

    /// The minimum length of a packet in bytes, including its opcode: Core Specification, volume 3,
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

    static let signatureLength = 12
}

extension Span<UInt8> {
    /// The number of two bytes at an offset (a handle, an offset, a length), or 0 beyond the end.
    @inline(__always)
    func attributeNumber(at offset: Int) -> UInt16 {
        littleEndian16(at: offset) ?? 0
    }

    /// A UUID of 2 or 16 bytes at an offset; `nil` for another length, or beyond the end.
    func attributeUUID(at offset: Int, count length: Int) -> BluetoothUUID? {
        guard offset <= count - length else { return nil }
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
