/// What a person does at a moment.
public enum BodyActivity: UInt8, Hashable, Sendable {
    /// Lying in bed at night or for a nap.
    case asleep
    /// Sitting or standing about.
    case resting
    /// Walking.
    case walking
    /// Running.
    case running
    /// Cycling: no steps, much heart.
    case cycling
}
