/// A request of a ``RingSession`` that waits for its reply, with the type of that reply.
///
/// The session collects the frames of a reply without knowing its type. The pending request decodes
/// them.
public struct PendingRequest<Value: Sendable>: Sendable {
    /// The number of the request and of its ``Completion``.
    public let number: RequestNumber
    private let request: RingRequest<Value>

    init(_ number: RequestNumber, _ request: RingRequest<Value>) {
        self.number = number
        self.request = request
    }

    /// Decodes the answer from the completion with the same number.
    public func answer(_ completion: Completion) throws(SessionError) -> Answer<Value> {
        guard completion.number == number else {
            throw SessionError(.otherRequest, received: completion.received)
        }
        if let error = completion.error { throw error }
        do throws(PacketError) {
            return try request.answer(completion.received)
        } catch {
            throw SessionError(.malformed, packetError: error, received: completion.received)
        }
    }

    /// Decodes an incomplete reply as far as possible, or returns `nil`.
    ///
    /// Missing elements are left out, or zero where they have a position among others.
    public func partial(_ completion: Completion) -> Value? {
        guard completion.number == number, completion.error != nil else { return nil }
        return request.partial(completion.received)
    }
}

/// The number of a request within its session.
public struct RequestNumber: Hashable, Sendable {
    /// The number; it is not used again in the same session.
    package let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension RequestNumber: CustomStringConvertible {
    /// The number as text: `#12`.
    public var description: String { "#\(rawValue)" }
}

/// The end of a request. Each request has exactly one.
public struct Completion: Hashable, Sendable {
    public let number: RequestNumber
    /// The frames received for the request, including incomplete and broken replies.
    public let received: ReceivedAnswer
    /// The reason for the missing answer, or `nil` if there is an answer.
    public let error: SessionError?
    /// The number of times that the request was written.
    public let attempts: Int
    /// The last write of the request, or `nil` if it was never written.
    public let lastWrite: WriteNumber?

    init(
        number: RequestNumber, received: ReceivedAnswer = ReceivedAnswer(),
        error: SessionError? = nil, attempts: Int, lastWrite: WriteNumber? = nil
    ) {
        self.lastWrite = lastWrite
        self.number = number
        self.received = received
        self.error = error
        self.attempts = attempts
    }
}

extension Completion: CustomStringConvertible {
    /// The end in one sentence, for logs.
    public var description: String {
        let end = error?.description ?? "The ring has answered."
        return "\(number): \(end) (sent \(attempts == 1 ? "once" : "\(attempts) times"))"
    }
}

/// The reason for a missing answer.
public struct SessionError: Error, Hashable, Sendable {
    /// The kind of a session error; further kinds may be added.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// No reply came in time, in any attempt.
        public static let timedOut = Kind(code: 0)
        /// Frames of the reply are missing after the last attempt.
        public static let incomplete = Kind(code: 1)
        /// The reply cannot be decoded; ``SessionError/packetError`` has the reason.
        public static let malformed = Kind(code: 2)
        /// The app has cancelled the request.
        public static let cancelled = Kind(code: 3)
        /// The link has ended.
        public static let disconnected = Kind(code: 4)
        /// The queue is full: ``SessionRules/queueLimit``.
        public static let overloaded = Kind(code: 5)
        /// The completion belongs to another pending request.
        public static let otherRequest = Kind(code: 6)
        /// The ring sent more frames than a reply can have.
        public static let tooLong = Kind(code: 7)
        /// The request could not be written: ``RingSession/writeFailed(_:at:)``.
        public static let writeFailed = Kind(code: 8)
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
}

extension SessionError: CustomStringConvertible {
    /// The error in one sentence; no text in it comes from a device.
    public var description: String {
        switch kind {
        case .timedOut: "The ring did not answer in time."
        case .incomplete: "The ring's answer is not complete\(cause)"
        case .malformed: "The ring's answer is not what it should be\(cause)"
        case .cancelled: "The request was cancelled."
        case .disconnected: "The link to the ring has ended."
        case .overloaded: "Too many requests are waiting."
        case .otherRequest: "The completion belongs to another request."
        case .tooLong: "The ring sent more than an answer can be."
        case .writeFailed: "The request could not be written to the ring."
        default: "The request has no answer."
        }
    }

    private var cause: String { packetError.map { ": \($0)" } ?? "." }
}

extension SessionError.Kind: CustomStringConvertible {
    /// The kind in words.
    public var description: String {
        switch self {
        case .timedOut: "the ring did not answer in time"
        case .incomplete: "the answer is not complete"
        case .malformed: "the answer is not what it should be"
        case .cancelled: "the request was cancelled"
        case .disconnected: "the link to the ring has ended"
        case .overloaded: "too many requests are waiting"
        case .otherRequest: "the completion belongs to another request"
        case .tooLong: "the answer is longer than it can be"
        case .writeFailed: "the request could not be written"
        default: "the request has no answer"
        }
    }
}
