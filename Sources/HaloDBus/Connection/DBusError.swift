#if os(Linux)
/// Why something on the bus did not come about.
public struct DBusError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// There is no bus at that address, or it may not be used.
        public static let unreachable = Kind(code: 0)
        /// The bus did not let us in.
        public static let notAuthenticated = Kind(code: 1)
        /// The connection has ended: closed here, or the bus is gone.
        public static let disconnected = Kind(code: 2)
        /// The other side answered with an error: ``DBusError/name`` and ``DBusError/details``.
        public static let remote = Kind(code: 3)
        /// No answer came in time.
        public static let timedOut = Kind(code: 4)
        /// The caller no longer wants the answer.
        public static let cancelled = Kind(code: 5)
        /// What came is no D-Bus, or what was to be sent cannot be.
        public static let malformed = Kind(code: 6)
        /// More is waiting to be sent, or answered, than is kept.
        public static let tooMuch = Kind(code: 7)
        /// The answer has other values than were expected.
        public static let unexpectedAnswer = Kind(code: 8)
        /// File descriptors cannot travel on this connection.
        public static let noDescriptors = Kind(code: 9)
    }

    /// What went wrong.
    public let kind: Kind
    /// The error's name, as the other side gave it: `org.bluez.Error.Failed`.
    public let name: String?
    /// What the other side, or the system, says about it.
    public let details: String?
    /// Where bytes went wrong, for what is malformed.
    public let wire: DBusWireError?

    /// Says what went wrong.
    public init(
        _ kind: Kind, name: String? = nil, details: String? = nil, wire: DBusWireError? = nil
    ) {
        self.kind = kind
        self.name = name
        self.details = details
        self.wire = wire
    }
}

extension DBusError: CustomStringConvertible {
    /// One sentence. What in the words of others could steer a terminal is replaced.
    public var description: String {
        let more = [name, details, wire?.description].compactMap { $0 }
        return more.isEmpty
            ? "\(kind)" : "\(kind): \(Self.harmless(more.joined(separator: ": ")))"
    }

    private static func harmless(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append("\u{FFFD}")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}

extension DBusError.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .unreachable: "no bus can be reached"
        case .notAuthenticated: "the bus does not let us in"
        case .disconnected: "the connection has ended"
        case .remote: "the other side refuses"
        case .timedOut: "no answer came in time"
        case .cancelled: "nobody waits any more"
        case .malformed: "that is no valid message"
        case .tooMuch: "more is waiting than is kept"
        case .unexpectedAnswer: "the answer is not what was expected"
        case .noDescriptors: "no descriptors can be sent"
        default: "something went wrong"
        }
    }
}
#endif
