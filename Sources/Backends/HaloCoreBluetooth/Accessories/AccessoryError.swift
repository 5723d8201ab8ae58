#if canImport(AccessorySetupKit) && (os(iOS) || os(Linux)) && !targetEnvironment(macCatalyst)
public import Foundation

/// An error of the picker or of an accessory.
public struct AccessoryError: Error, Hashable, Sendable {
    /// The kinds of errors; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind of error in a sentence.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The user has closed the picker, or the task was cancelled.
        public static let cancelled = Kind("The picker was closed without a choice.")
        /// The session is not active, or no longer.
        public static let notActive = Kind("The accessory session is not active.")
        /// A picker is already shown.
        public static let alreadyShown = Kind("A picker is shown already.")
        /// The system does not show a picker now: the app is in the background.
        public static let notAllowedNow = Kind("The system shows no picker now.")
        /// No device was found in time.
        public static let notFound = Kind("No device was found in time.")
        /// The user may not add accessories.
        public static let restricted = Kind("The user may not add accessories.")
        /// The request is not valid; it also fails if a transport was used before a migration.
        public static let invalid = Kind("The system does not accept the request.")
        /// The device could not be set up.
        public static let setupFailed = Kind("The device could not be set up.")
        /// Any other error of the system, with its text.
        public static let system = Kind("The system reported an error.")
    }

    /// The kind of error.
    public let kind: Kind
    /// The domain, the code and the text of the system's error.
    public let details: String?

    /// Creates an error.
    public init(_ kind: Kind, details: String? = nil) {
        self.kind = kind
        self.details = details
    }
}

extension AccessoryError: LocalizedError {
    /// The kind of error in a sentence, for an alert.
    public var errorDescription: String? { "\(kind)" }

    /// The domain, the code and the text of the system's error.
    public var failureReason: String? { details }
}

extension AccessoryError: CustomStringConvertible {
    /// The kind of error in a sentence, and the system's text.
    public var description: String {
        let sentence = "\(kind)"
        guard let details else { return sentence }
        // The text may have the name of a device.
        let printable = details.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        return "\(sentence) (\(String(printable)))"
    }
}
#endif
