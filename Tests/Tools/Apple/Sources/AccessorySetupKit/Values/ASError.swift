public import Foundation

/// The domain of the errors of accessories.
public let ASErrorDomain = "ASErrorDomain"

/// An error of a session or its picker.
public struct ASError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The reason.
    public enum Code: Int, Sendable {
        /// No error.
        case success = 0
        /// A reason that has no other code.
        case unknown = 1
        /// The session could not be activated.
        case activationFailed = 100
        /// The accessory could not be connected.
        case connectionFailed = 150
        /// The picker has found no accessory in time.
        case discoveryTimeout = 200
        /// The app has no extension for discovery.
        case extensionNotFound = 300
        /// The session was invalidated.
        case invalidated = 400
        /// The request does not fit the session's state, or has values that contradict each other.
        case invalidRequest = 450
        /// A picker is shown already.
        case pickerAlreadyActive = 500
        /// The app may not show a picker now.
        case pickerRestricted = 550
        /// The person has cancelled.
        case userCancelled = 700
        /// The person may not add accessories.
        case userRestricted = 750
    }

    /// The reason.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    /// The domain.
    public static var errorDomain: String { ASErrorDomain }
    /// The number of the reason.
    public var errorCode: Int { code.rawValue }
    /// The name of the reason: the words of the system are not known.
    public var errorDescription: String? { "ASError \(code.rawValue): \(code)" }

    /// No error.
    public static var success: Code { .success }
    /// A reason that has no other code.
    public static var unknown: Code { .unknown }
    /// The session could not be activated.
    public static var activationFailed: Code { .activationFailed }
    /// The accessory could not be connected.
    public static var connectionFailed: Code { .connectionFailed }
    /// The picker has found no accessory in time.
    public static var discoveryTimeout: Code { .discoveryTimeout }
    /// The app has no extension for discovery.
    public static var extensionNotFound: Code { .extensionNotFound }
    /// The session was invalidated.
    public static var invalidated: Code { .invalidated }
    /// The request does not fit the session's state, or has values that contradict each other.
    public static var invalidRequest: Code { .invalidRequest }
    /// A picker is shown already.
    public static var pickerAlreadyActive: Code { .pickerAlreadyActive }
    /// The app may not show a picker now.
    public static var pickerRestricted: Code { .pickerRestricted }
    /// The person has cancelled.
    public static var userCancelled: Code { .userCancelled }
    /// The person may not add accessories.
    public static var userRestricted: Code { .userRestricted }
}
