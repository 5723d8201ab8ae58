/// How a request has ended: each one does, exactly once.
public struct Completion: Hashable, Sendable {
    /// Which request.
    public let number: TicketNumber
    /// What came for it; also when it is not all, or not right.
    public let received: ReceivedAnswer
    /// Why there is no answer; nothing if there is one.
    public let error: SessionError?
    /// How many times the request was sent.
    public let attempts: Int
    /// The write with which the request was sent last, or `nil` if it never was.
    public let lastWrite: WriteNumber?

    init(
        number: TicketNumber, received: ReceivedAnswer = ReceivedAnswer(),
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
    /// One sentence, for logs.
    public var description: String {
        let end = error?.description ?? "The ring has answered."
        return "\(number): \(end) (sent \(attempts == 1 ? "once" : "\(attempts) times"))"
    }
}
