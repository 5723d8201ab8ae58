internal import HaloProtocol

/// The ATT error code with which a device refuses a request.
public struct ATTError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The code in the error response.
    public let code: UInt8

    /// Creates an error from its code; 0x80 to 0x9F are defined by services.
    public init(code: UInt8) { self.code = code }

    /// No attribute has the handle.
    public static let invalidHandle = ATTError(code: 0x01)
    /// The attribute cannot be read.
    public static let readNotPermitted = ATTError(code: 0x02)
    /// The attribute cannot be written.
    public static let writeNotPermitted = ATTError(code: 0x03)
    /// The request is malformed.
    public static let invalidPDU = ATTError(code: 0x04)
    /// The link must be authenticated first.
    public static let insufficientAuthentication = ATTError(code: 0x05)
    /// The device does not support the request.
    public static let requestNotSupported = ATTError(code: 0x06)
    /// The offset lies beyond the end of the value.
    public static let invalidOffset = ATTError(code: 0x07)
    /// The link must be authorized first.
    public static let insufficientAuthorization = ATTError(code: 0x08)
    /// The attribute cannot have a value of this length.
    public static let invalidLength = ATTError(code: 0x0D)
    /// Unlikely error: the device has failed in another way.
    public static let unlikely = ATTError(code: 0x0E)
    /// The link must be encrypted first.
    public static let insufficientEncryption = ATTError(code: 0x0F)
    /// The device does not have enough memory.
    public static let insufficientResources = ATTError(code: 0x11)
    /// The attribute cannot have this value.
    public static let valueNotAllowed = ATTError(code: 0x13)
    /// Control point not supported: the heart-rate control point has only one command.
    public static let controlPointNotSupported = ATTError(
        code: HeartRateControlPoint.notSupportedError)

    /// The code, and its meaning where it is known.
    public var description: String {
        let number = "ATT error 0x\(HexText.byte(code))"
        return meaning.map { "\(number) (\($0))" } ?? number
    }

    private var meaning: String? {
        switch self {
        case .invalidHandle: "there is no such attribute"
        case .readNotPermitted: "it cannot be read"
        case .writeNotPermitted: "it cannot be written"
        case .invalidPDU: "the request makes no sense"
        case .insufficientAuthentication: "the link is not authenticated"
        case .requestNotSupported: "the request is not known"
        case .invalidOffset: "the value is shorter"
        case .insufficientAuthorization: "it is not allowed"
        case .invalidLength: "the length is impossible"
        case .unlikely: "something went wrong in the device"
        case .insufficientEncryption: "the link is not encrypted"
        case .insufficientResources: "the device has no room"
        case .valueNotAllowed: "the value is impossible"
        case .controlPointNotSupported: "the command is not supported, or a service's own error"
        default: nil
        }
    }
}
