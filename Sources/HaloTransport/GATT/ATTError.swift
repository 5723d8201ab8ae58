internal import HaloProtocol

/// Why a device refuses to do something with an attribute: the code that travels in its answer.
public struct ATTError: Error, Hashable, Sendable {
    /// The code.
    public let code: UInt8

    /// An error by its code; 0x80 to 0x9F are the service's own.
    public init(code: UInt8) {
        self.code = code
    }

    /// There is no such attribute.
    public static let invalidHandle = ATTError(code: 0x01)
    /// The attribute cannot be read.
    public static let readNotPermitted = ATTError(code: 0x02)
    /// The attribute cannot be written.
    public static let writeNotPermitted = ATTError(code: 0x03)
    /// The request makes no sense.
    public static let invalidPDU = ATTError(code: 0x04)
    /// The link must be authenticated first.
    public static let insufficientAuthentication = ATTError(code: 0x05)
    /// The device does not know the request.
    public static let requestNotSupported = ATTError(code: 0x06)
    /// The value is shorter than the place that is asked for.
    public static let invalidOffset = ATTError(code: 0x07)
    /// The attribute must not be used so.
    public static let insufficientAuthorization = ATTError(code: 0x08)
    /// The value has a length that the attribute cannot have.
    public static let invalidLength = ATTError(code: 0x0D)
    /// Something went wrong in the device.
    public static let unlikely = ATTError(code: 0x0E)
    /// The link must be encrypted first.
    public static let insufficientEncryption = ATTError(code: 0x0F)
    /// The device has no room for it.
    public static let insufficientResources = ATTError(code: 0x11)
    /// A value that the attribute cannot have.
    public static let valueNotAllowed = ATTError(code: 0x13)
    /// The heart-rate control point knows only one command.
    public static let controlPointNotSupported = ATTError(
        code: HeartRateControlPoint.notSupportedError)
}
