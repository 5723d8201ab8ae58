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
