public import HaloProtocol

/// Something that went over a link, for a log.
public struct LinkTrace: Hashable, Sendable {
    /// What it was; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// Something was asked of the backend.
        public static let asked = Kind(code: 0)
        /// The backend has answered.
        public static let answered = Kind(code: 1)
        /// Something has happened by itself: ``LinkTrace/event`` says what.
        public static let happened = Kind(code: 2)
    }

    /// When it was.
    public let moment: Moment
    /// Over which link.
    public let identity: PeripheralIdentity
    /// What it was.
    public let kind: Kind
    /// What was asked for; nothing for what happened by itself.
    public var operation: BLEError.Operation?
    /// Which question it is or answers: each has its own number on its link.
    public var number: UInt64?
    /// Which characteristic or descriptor it is about.
    public var attribute: AttributeID?
    /// The value that was written, read or sent.
    public var bytes: [UInt8]?
    /// How a value is written.
    public var mode: WriteMode?
    /// What the device consists of, where that was asked.
    public var services: [GATTService]?
    /// How many bytes one write without a response can carry: said when the link stands, and
    /// when that changes.
    public var maximumWriteLength: Int?
    /// What has happened by itself.
    public var event: LinkEvent?
    /// Why the answer is no.
    public var error: BLEError?

    init(_ kind: Kind, _ identity: PeripheralIdentity, at moment: Moment) {
        self.kind = kind
        self.identity = identity
        self.moment = moment
    }
}

extension LinkTrace.Kind: CustomStringConvertible {
    /// What it was.
    public var description: String {
        switch self {
        case .asked: "asked"
        case .answered: "answered"
        default: "happened"
        }
    }
}

/// Who is told of everything that goes over a link; called at once, from any thread.
public typealias LinkObserver = @Sendable (LinkTrace) -> Void
