public import Foundation

/// The domain of the errors of managers and links.
public let CBErrorDomain = "CBErrorDomain"

/// The domain of the error codes of the attribute protocol.
public let CBATTErrorDomain = "CBATTErrorDomain"

/// An error of a manager or a link.
public struct CBError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// A code. As with imported enumerations, numbers without a name are codes too.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Creates a code from any number.
        public init?(rawValue: Int) { self.rawValue = rawValue }

        private init(_ rawValue: Int) { self.rawValue = rawValue }

        /// An unknown error.
        public static let unknown = Code(0)
        /// A parameter is invalid.
        public static let invalidParameters = Code(1)
        /// The attribute handle is invalid.
        public static let invalidHandle = Code(2)
        /// The device is not connected.
        public static let notConnected = Code(3)
        /// There is no memory left.
        public static let outOfSpace = Code(4)
        /// The operation was cancelled.
        public static let operationCancelled = Code(5)
        /// The link or the attempt timed out.
        public static let connectionTimeout = Code(6)
        /// The device closed the link.
        public static let peripheralDisconnected = Code(7)
        /// Apps may not use the UUID.
        public static let uuidNotAllowed = Code(8)
        /// The app advertises already.
        public static let alreadyAdvertising = Code(9)
        /// The attempt to connect failed.
        public static let connectionFailed = Code(10)
        /// The phone has as many links as it can.
        public static let connectionLimitReached = Code(11)
        /// The device is unknown.
        public static let unknownDevice = Code(12)
        /// The operation is not supported.
        public static let operationNotSupported = Code(13)
        /// The device has deleted the bond.
        public static let peerRemovedPairingInformation = Code(14)
        /// The encryption timed out.
        public static let encryptionTimedOut = Code(15)
        /// The phone has as many bonds as it can.
        public static let tooManyLEPairedDevices = Code(16)
        /// Too many notifications came in the background.
        public static let leGattExceededBackgroundNotificationLimit = Code(17)
        /// Almost too many notifications came in the background.
        public static let leGattNearBackgroundNotificationLimit = Code(18)
    }

    /// The code.
    public let code: Code
    /// Words of the system for this error, in place of those for its code.
    let words: String?

    /// Creates an error; a localized description in the user info replaces that of the code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        words = userInfo[NSLocalizedDescriptionKey] as? String
    }

    /// The domain of the error codes.
    public static var errorDomain: String { CBErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The localized description.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: text]
    }

    /// The words of the system, where they are known.
    public var errorDescription: String? { text }

    var text: String { words ?? code.words }

    /// An unknown error.
    public static var unknown: Code { .unknown }
    /// A parameter is invalid.
    public static var invalidParameters: Code { .invalidParameters }
    /// The attribute handle is invalid.
    public static var invalidHandle: Code { .invalidHandle }
    /// The device is not connected.
    public static var notConnected: Code { .notConnected }
    /// There is no memory left.
    public static var outOfSpace: Code { .outOfSpace }
    /// The operation was cancelled.
    public static var operationCancelled: Code { .operationCancelled }
    /// The link or the attempt timed out.
    public static var connectionTimeout: Code { .connectionTimeout }
    /// The device closed the link.
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    /// Apps may not use the UUID.
    public static var uuidNotAllowed: Code { .uuidNotAllowed }
    /// The app advertises already.
    public static var alreadyAdvertising: Code { .alreadyAdvertising }
    /// The attempt to connect failed.
    public static var connectionFailed: Code { .connectionFailed }
    /// The phone has as many links as it can.
    public static var connectionLimitReached: Code { .connectionLimitReached }
    /// The device is unknown.
    public static var unknownDevice: Code { .unknownDevice }
    /// The operation is not supported.
    public static var operationNotSupported: Code { .operationNotSupported }
    /// The device has deleted the bond.
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    /// The encryption timed out.
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
    /// The phone has as many bonds as it can.
    public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
    /// Too many notifications came in the background.
    public static var leGattExceededBackgroundNotificationLimit: Code {
        .leGattExceededBackgroundNotificationLimit
    }
    /// Almost too many notifications came in the background.
    public static var leGattNearBackgroundNotificationLimit: Code {
        .leGattNearBackgroundNotificationLimit
    }
}

extension CBError.Code {
    fileprivate var words: String {
        switch self {
        case .invalidParameters: "One or more parameters were invalid."
        case .connectionTimeout: "The connection has timed out unexpectedly."
        case .peripheralDisconnected: "The specified device has disconnected from us."
        case .uuidNotAllowed: "The specified UUID is not allowed for this operation."
        case .alreadyAdvertising: "Advertising has already started."
        case .peerRemovedPairingInformation: "Peer removed pairing information"
        default: "Unknown error."
        }
    }

    /// Returns `true` if an error has the code: the pattern of a `catch`.
    public static func ~= (code: CBError.Code, error: any Error) -> Bool {
        (error as? CBError)?.code == code
    }
}

/// An error of the attribute protocol.
public struct CBATTError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// A code. As with imported enumerations, numbers without a name are codes too.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Creates a code from any number.
        public init?(rawValue: Int) { self.rawValue = rawValue }

        private init(_ rawValue: Int) { self.rawValue = rawValue }

        /// No error.
        public static let success = Code(0x00)
        /// No attribute has the handle.
        public static let invalidHandle = Code(0x01)
        /// The attribute cannot be read.
        public static let readNotPermitted = Code(0x02)
        /// The attribute cannot be written.
        public static let writeNotPermitted = Code(0x03)
        /// The request is malformed.
        public static let invalidPdu = Code(0x04)
        /// The link must be authenticated first.
        public static let insufficientAuthentication = Code(0x05)
        /// The request is not supported.
        public static let requestNotSupported = Code(0x06)
        /// The offset lies behind the end of the value.
        public static let invalidOffset = Code(0x07)
        /// The link must be authorized first.
        public static let insufficientAuthorization = Code(0x08)
        /// Too many parts of long writes wait.
        public static let prepareQueueFull = Code(0x09)
        /// There is no such attribute.
        public static let attributeNotFound = Code(0x0A)
        /// The value has no further parts.
        public static let attributeNotLong = Code(0x0B)
        /// The key is too short.
        public static let insufficientEncryptionKeySize = Code(0x0C)
        /// The attribute cannot have a value of this length.
        public static let invalidAttributeValueLength = Code(0x0D)
        /// The device failed in another way.
        public static let unlikelyError = Code(0x0E)
        /// The link must be encrypted first.
        public static let insufficientEncryption = Code(0x0F)
        /// The group type is not supported.
        public static let unsupportedGroupType = Code(0x10)
        /// The device has not enough memory.
        public static let insufficientResources = Code(0x11)
    }

    /// The code.
    public let code: Code
    /// Words of the system for this error, in place of those for its code.
    let words: String?

    /// Creates an error; a localized description in the user info replaces that of the code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        words = userInfo[NSLocalizedDescriptionKey] as? String
    }

    /// The domain of the error codes.
    public static var errorDomain: String { CBATTErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The localized description.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: text]
    }

    /// The words of the system, where they are known.
    public var errorDescription: String? { text }

    var text: String { words ?? code.words }

    /// No error.
    public static var success: Code { .success }
    /// No attribute has the handle.
    public static var invalidHandle: Code { .invalidHandle }
    /// The attribute cannot be read.
    public static var readNotPermitted: Code { .readNotPermitted }
    /// The attribute cannot be written.
    public static var writeNotPermitted: Code { .writeNotPermitted }
    /// The request is malformed.
    public static var invalidPdu: Code { .invalidPdu }
    /// The link must be authenticated first.
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    /// The request is not supported.
    public static var requestNotSupported: Code { .requestNotSupported }
    /// The offset lies behind the end of the value.
    public static var invalidOffset: Code { .invalidOffset }
    /// The link must be authorized first.
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    /// Too many parts of long writes wait.
    public static var prepareQueueFull: Code { .prepareQueueFull }
    /// There is no such attribute.
    public static var attributeNotFound: Code { .attributeNotFound }
    /// The value has no further parts.
    public static var attributeNotLong: Code { .attributeNotLong }
    /// The key is too short.
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    /// The attribute cannot have a value of this length.
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    /// The device failed in another way.
    public static var unlikelyError: Code { .unlikelyError }
    /// The link must be encrypted first.
    public static var insufficientEncryption: Code { .insufficientEncryption }
    /// The group type is not supported.
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    /// The device has not enough memory.
    public static var insufficientResources: Code { .insufficientResources }
}

extension CBATTError.Code {
    fileprivate var words: String {
        switch self {
        case .invalidHandle: "The handle is invalid."
        case .writeNotPermitted: "Writing is not permitted."
        case .insufficientAuthentication: "Authentication is insufficient."
        case .requestNotSupported: "The request is not supported."
        case .attributeNotFound: "The attribute could not be found."
        case .invalidAttributeValueLength: "The value's length is invalid."
        case .insufficientEncryption: "Encryption is insufficient."
        default: "Unknown ATT error."
        }
    }

    /// Returns `true` if an error has the code: the pattern of a `catch`.
    public static func ~= (code: CBATTError.Code, error: any Error) -> Bool {
        (error as? CBATTError)?.code == code
    }
}
