internal import HaloProtocol

/// The reason for the end of a link.
public struct DisconnectReason: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kinds of reasons; a list that can grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The name, as in Swift code.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app has closed the link.
        public static let local = Kind(rawValue: "local")
        /// The device has closed it.
        public static let remote = Kind(rawValue: "remote")
        /// Supervision timeout: the device is out of reach or switched off.
        public static let outOfReach = Kind(rawValue: "outOfReach")
        /// The computer's Bluetooth adapter was switched off or removed.
        public static let adapterGone = Kind(rawValue: "adapterGone")
        /// The backend has lost the system's Bluetooth service.
        public static let backendGone = Kind(rawValue: "backendGone")
        /// The device did not respond to a request within the 30 seconds of an ATT transaction.
        public static let noResponse = Kind(rawValue: "noResponse")
        /// The keys of the bond do not match: the device has deleted the bond, or made another.
        public static let bondLost = Kind(rawValue: "bondLost")

        /// The side or the cause that ended the link, in words.
        public var description: String {
            switch self {
            case .local: "closed by the app"
            case .remote: "closed by the device"
            case .outOfReach: "the device is out of reach"
            case .adapterGone: "Bluetooth was switched off"
            case .backendGone: "the Bluetooth service is gone"
            case .noResponse: "the device did not answer"
            case .bondLost: "the keys of the bond did not fit"
            default: "the link has ended"
            }
        }
    }

    /// The side or the cause that ended the link.
    public let kind: Kind
    /// The message of the system's Bluetooth service, if there is one.
    public let details: String?

    /// Creates a reason of a kind.
    public init(_ kind: Kind, details: String? = nil) {
        self.kind = kind
        self.details = details
    }

    /// The person's next step, in English; `nil` if there is none.
    package var advice: String? {
        switch kind {
        case .outOfReach, .noResponse, .remote: BLEError.Kind.timedOut.advice
        case .adapterGone: BLEError.Kind.bluetoothOff.advice
        case .backendGone: "Try again in a moment."
        case .bondLost:
            "Remove the device in the system's Bluetooth settings, and pair it again."
        default: nil
        }
    }

    /// The reason in words. Words of the backend are made safe for a terminal.
    public var description: String {
        details.map { "\(kind) (\(PrintableText.quoted($0.utf8)))" } ?? "\(kind)"
    }
}
