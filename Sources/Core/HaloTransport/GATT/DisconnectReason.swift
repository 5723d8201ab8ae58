internal import HaloProtocol

/// The reason for the end of a link.
public struct DisconnectReason: Hashable, Sendable {
    /// The kinds of reasons; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The side or the cause that ended the link, in words.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The app has closed the link.
        public static let local = Kind("closed by the app")
        /// The device has closed it.
        public static let remote = Kind("closed by the device")
        /// Supervision timeout: the device is out of reach or switched off.
        public static let outOfReach = Kind("the device is out of reach")
        /// The computer's Bluetooth adapter was switched off or removed.
        public static let adapterGone = Kind("Bluetooth was switched off")
        /// The backend has lost the system's Bluetooth service.
        public static let backendGone = Kind("the Bluetooth service is gone")
        /// The device did not respond to a request within the 30 seconds of an ATT transaction.
        public static let noResponse = Kind("the device did not answer")
        /// The keys of the bond do not match: the device has deleted the bond, or made another.
        public static let bondLost = Kind("the keys of the bond did not fit")
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
}

extension DisconnectReason: CustomStringConvertible {
    /// The reason in words. Words of the backend are made safe for a terminal.
    public var description: String {
        details.map { "\(kind) (\(PrintableText.quoted($0.utf8)))" } ?? "\(kind)"
    }
}
