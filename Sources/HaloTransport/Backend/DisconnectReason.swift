internal import HaloProtocol

/// Why a link has ended.
public struct DisconnectReason: Hashable, Sendable {
    /// Who or what ended it; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The app has closed the link.
        public static let local = Kind(code: 0)
        /// The device has closed it.
        public static let remote = Kind(code: 1)
        /// The device is out of reach, or off: it was not heard of for the supervision timeout.
        public static let outOfReach = Kind(code: 2)
        /// The computer's Bluetooth went away.
        public static let adapterGone = Kind(code: 3)
        /// The backend lost what it talks to.
        public static let backendGone = Kind(code: 4)
        /// The device did not answer a request in the time that Bluetooth gives it.
        public static let noResponse = Kind(code: 5)
        /// The keys of the bond did not fit: the device has forgotten it, or has another one.
        public static let bondLost = Kind(code: 6)
    }

    /// Who or what ended it.
    public let kind: Kind
    /// What the backend says about it, if it says anything.
    public let details: String?

    /// A reason.
    public init(_ kind: Kind, details: String? = nil) {
        self.kind = kind
        self.details = details
    }
}

extension DisconnectReason: CustomStringConvertible {
    /// The reason in words; those of the backend are made safe for a terminal.
    public var description: String {
        details.map { "\(kind) (\(PrintableText.quoted($0.utf8)))" } ?? "\(kind)"
    }
}

extension DisconnectReason.Kind: CustomStringConvertible {
    /// Who or what ended it.
    public var description: String {
        switch self {
        case .local: "closed by the app"
        case .remote: "closed by the device"
        case .outOfReach: "the device is out of reach"
        case .adapterGone: "Bluetooth was switched off"
        case .noResponse: "the device did not answer"
        case .bondLost: "the keys of the bond did not fit"
        default: "the Bluetooth service is gone"
        }
    }
}
