package enum RingBehaviour: Hashable, Sendable, CaseIterable {
    /// The ring replies with its data, or with "nothing stored".
    case answers
    /// The ring refuses a command, and answers a record request with "no data".
    case refuses
    /// The ring sends no reply. The request may still take effect: a light goes on, or the ring
    /// off.
    case silent
}
