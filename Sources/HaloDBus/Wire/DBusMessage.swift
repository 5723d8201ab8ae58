#if os(Linux)
/// What travels on the bus: a call, its answer, or a signal.
public struct DBusMessage: Hashable, Sendable {
    /// What kind of message it is, with what this kind has to have.
    public enum Kind: Hashable, Sendable {
        /// Asks an object to do something.
        case call(path: DBusObjectPath, interface: String?, member: String)
        /// Answers the call of that serial number.
        case answer(to: UInt32)
        /// Answers the call of that serial number with a named error.
        case error(name: String, to: UInt32)
        /// Says that something has happened.
        case signal(path: DBusObjectPath, interface: String, member: String)
    }

    /// What may be said beside the kind, as bits.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Flags by their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The caller wants no answer.
        public static let noReplyExpected = Flags(rawValue: 0x01)
        /// A program that is not running is not to be started for this.
        public static let noAutoStart = Flags(rawValue: 0x02)
        /// The caller can wait until a person has been asked.
        public static let allowsInteractiveAuthorization = Flags(rawValue: 0x04)
    }

    /// What kind of message it is.
    public var kind: Kind
    /// Flags.
    public var flags: Flags = []
    /// The sender's number for the message, which is never 0; a connection gives it.
    public var serial: UInt32
    /// For whom it is; a signal may be for everybody.
    public var destination: String?
    /// Who has sent it, as the bus says.
    public var sender: String?
    /// The values.
    public var body: [DBusValue]
    /// How many file descriptors travel with it.
    public var descriptorCount: UInt32

    /// A message.
    public init(
        _ kind: Kind, serial: UInt32 = 1, destination: String? = nil, flags: Flags = [],
        body: [DBusValue] = [], descriptorCount: UInt32 = 0
    ) {
        self.kind = kind
        self.serial = serial
        self.destination = destination
        self.flags = flags
        self.body = body
        self.descriptorCount = descriptorCount
    }
}

/// The fields of a message's header, by their numbers.
enum DBusHeaderField: UInt8, CaseIterable {
    case path = 1
    case interface = 2
    case member = 3
    case errorName = 4
    case replySerial = 5
    case destination = 6
    case sender = 7
    case signature = 8
    case unixFDs = 9

    /// The type that a field's value has.
    var type: DBusType {
        switch self {
        case .path: .objectPath
        case .interface, .member, .errorName, .destination, .sender: .string
        case .replySerial, .unixFDs: .uint32
        case .signature: .signature
        }
    }
}

/// The types of messages, by their numbers.
enum DBusMessageType: UInt8 {
    case call = 1
    case answer = 2
    case error = 3
    case signal = 4
}
#endif
