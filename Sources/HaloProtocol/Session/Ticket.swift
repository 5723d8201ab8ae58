/// What a session gives for a request: the number under which the answer will come, and the type
/// that it will have.
///
/// The session itself knows nothing of types: it collects frames that belong together. It is the
/// ticket that makes an answer of them.
public struct Ticket<Value: Sendable>: Sendable {
    /// The number under which the request ends.
    public let number: TicketNumber
    let read: @Sendable (ReceivedAnswer) throws(PacketError) -> Answer<Value>
    let readPartial: @Sendable (ReceivedAnswer) -> Value?

    init(
        _ number: TicketNumber,
        read: @escaping @Sendable (ReceivedAnswer) throws(PacketError) -> Answer<Value>,
        readPartial: @escaping @Sendable (ReceivedAnswer) -> Value? = { _ in nil }
    ) {
        self.number = number
        self.read = read
        self.readPartial = readPartial
    }

    /// The answer that a completion of this number holds.
    public func answer(_ completion: Completion) throws(SessionError) -> Answer<Value> {
        guard completion.number == number else {
            throw SessionError(.otherTicket, received: completion.received)
        }
        if let error = completion.error { throw error }
        do throws(PacketError) {
            return try read(completion.received)
        } catch {
            throw SessionError(.malformed, packetError: error, received: completion.received)
        }
    }

    /// What can be made of an answer that is not complete, if anything can: what is missing is
    /// left out, or zero where it has a place among others.
    public func partial(_ completion: Completion) -> Value? {
        guard completion.number == number, completion.error != nil else { return nil }
        return readPartial(completion.received)
    }
}
