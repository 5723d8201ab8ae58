package enum BodyActivity: UInt8, Hashable, Sendable {
    /// Lying in bed at night or for a nap.
    case asleep
    /// Sitting or standing.
    case resting
    case walking
    case running
    /// Cycling: a high heart rate without steps.
    case cycling
}
