public import HaloProtocol

/// Something that a host could not do as the device requested: systems restrict apps.
public struct HostingNote: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of notes; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The subject of the note.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// A part of the advertisement is not advertised, or is advertised differently.
        public static let advertisement = Kind("the advertisement")
        /// A service is left out.
        public static let service = Kind("a service")
        /// A descriptor is left out.
        public static let descriptor = Kind("a descriptor")
        /// The link stays open, although the device closes it.
        public static let link = Kind("the link")
        /// Values are lost.
        public static let values = Kind("the values")
    }

    /// The kind of note.
    public let kind: Kind
    /// The service or the descriptor.
    public let uuid: BluetoothUUID?
    /// The part that was not done, and the reason.
    public let text: String

    /// Creates a note.
    public init(_ kind: Kind, uuid: BluetoothUUID? = nil, _ text: String) {
        self.kind = kind
        self.uuid = uuid
        self.text = text
    }

    /// The service or the descriptor, and the text.
    public var description: String { uuid.map { "\($0): \(text)" } ?? text }
}
