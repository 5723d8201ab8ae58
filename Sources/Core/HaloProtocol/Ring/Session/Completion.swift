/// The end of a request. Each request has exactly one.
public struct Completion: Hashable, Sendable, CustomStringConvertible {
    public let number: RequestNumber
    /// The frames received for the request, including incomplete and broken replies.
    public let received: ReceivedAnswer
    /// The reason for the missing answer, or `nil` if there is an answer.
    public let error: SessionError?
    /// The number of times that the request was written.
    public let attempts: Int
    /// The last write of the request, or `nil` if it was never written.
    package let lastWrite: WriteNumber?

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

    /// The end in one sentence, for logs.
    public var description: String {
        let end = error?.description ?? "The ring has answered."
        return "\(number): \(end) (sent \(attempts == 1 ? "once" : "\(attempts) times"))"
    }
}
