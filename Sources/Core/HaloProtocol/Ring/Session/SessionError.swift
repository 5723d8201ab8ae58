/// The reason for a missing answer.
public struct SessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a session error; further kinds may be added.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        private let words: FieldName

        /// The kind in words.
        public var description: String { words.description }

        /// No reply came in time, in any attempt.
        public static let timedOut = Kind(words: "the ring did not answer in time")
        /// Frames of the reply are missing after the last attempt.
        public static let incomplete = Kind(words: "the reply is incomplete")
        /// The reply cannot be decoded; ``SessionError/packetError`` has the reason.
        public static let malformed = Kind(words: "the reply is not valid")
        public static let cancelled = Kind(words: "the request was cancelled")
        public static let disconnected = Kind(words: "the link to the ring has ended")
        /// The queue is full: ``SessionRules/queueLimit``.
        public static let overloaded = Kind(words: "too many requests are waiting")
        public static let otherRequest = Kind(words: "the completion belongs to another request")
        public static let tooLong = Kind(words: "the reply is too long")
        /// The request could not be written: ``RingSession/writeFailed(_:at:)``.
        public static let writeFailed = Kind(words: "the request could not be written")
    }

    public let kind: Kind
    /// The fault of a packet, or the missing frame; `nil` for other errors.
    public let packetError: PacketError?
    /// The frames received before the error.
    public let received: ReceivedAnswer

    package init(
        _ kind: Kind, packetError: PacketError? = nil,
        received: ReceivedAnswer = ReceivedAnswer()
    ) {
        self.kind = kind
        self.packetError = packetError
        self.received = received
    }

    /// The error in one sentence; no text in it comes from a device.
    public var description: String {
        switch kind {
        case .timedOut: "The ring did not answer in time."
        case .incomplete: "The ring's reply is incomplete\(cause)"
        case .malformed: "The ring's reply is not valid\(cause)"
        case .cancelled: "The request was cancelled."
        case .disconnected: "The link to the ring has ended."
        case .overloaded: "Too many requests are waiting."
        case .otherRequest: "The completion belongs to another request."
        case .tooLong: "The ring sent more than fits in a reply."
        case .writeFailed: "The request could not be written to the ring."
        default: "The request has no reply."
        }
    }

    private var cause: String { packetError.map { ": \($0)" } ?? "." }
}
