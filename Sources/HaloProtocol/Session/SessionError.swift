/// Why a request has no answer.
public struct SessionError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The ring did not answer in time, as often as it was asked.
        public static let timedOut = Kind(code: 0)
        /// Parts of the answer did not come, as often as it was asked.
        public static let incomplete = Kind(code: 1)
        /// What came is not what the packet should be; ``SessionError/packetError`` says why.
        public static let malformed = Kind(code: 2)
        /// The request was taken back.
        public static let cancelled = Kind(code: 3)
        /// The link has ended.
        public static let disconnected = Kind(code: 4)
        /// Too many requests wait already.
        public static let overloaded = Kind(code: 5)
        /// The completion belongs to another ticket.
        public static let otherTicket = Kind(code: 6)
        /// The ring sent more frames than an answer can have.
        public static let tooLong = Kind(code: 7)
        /// The request could not be written; ``RingSession/writeFailed(_:at:)`` said so.
        public static let writeFailed = Kind(code: 8)
    }

    /// What went wrong.
    public let kind: Kind
    /// What was wrong with a packet, or which part is missing.
    public let packetError: PacketError?
    /// What had come until then.
    public let received: ReceivedAnswer

    /// Says what went wrong.
    public init(
        _ kind: Kind, packetError: PacketError? = nil,
        received: ReceivedAnswer = ReceivedAnswer()
    ) {
        self.kind = kind
        self.packetError = packetError
        self.received = received
    }
}

extension SessionError: CustomStringConvertible {
    /// One sentence; nothing of it was written by a device.
    public var description: String {
        switch kind {
        case .timedOut: "The ring did not answer in time."
        case .incomplete: "The ring's answer is not complete\(cause)"
        case .malformed: "The ring's answer is not what it should be\(cause)"
        case .cancelled: "The request was cancelled."
        case .disconnected: "The link to the ring has ended."
        case .overloaded: "Too many requests are waiting."
        case .otherTicket: "The completion belongs to another request."
        case .tooLong: "The ring sent more than an answer can be."
        case .writeFailed: "The request could not be written to the ring."
        default: "The request has no answer."
        }
    }

    private var cause: String { packetError.map { ": \($0)" } ?? "." }
}

extension SessionError.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .timedOut: "the ring did not answer in time"
        case .incomplete: "the answer is not complete"
        case .malformed: "the answer is not what it should be"
        case .cancelled: "the request was cancelled"
        case .disconnected: "the link to the ring has ended"
        case .overloaded: "too many requests are waiting"
        case .otherTicket: "the completion belongs to another request"
        case .tooLong: "the answer is longer than it can be"
        case .writeFailed: "the request could not be written"
        default: "the request has no answer"
        }
    }
}
