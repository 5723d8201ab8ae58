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
