/// An effect of a session.
protocol SessionEffect: Sendable {
    /// `true` for events and reports; `false` for effects that the caller waits for.
    var mayBeDropped: Bool { get }
    /// The number of dropped effects, or `nil` for an effect that does not count them.
    var droppedCount: Int? { get }

    /// Returns the effect that reports a number of dropped effects; it is never dropped itself.
    static func dropped(_ count: Int) -> Self
}
