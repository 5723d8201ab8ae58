/// The activity of a person.
package enum BodyActivity: UInt8, Hashable, Sendable {
    /// Lying in bed at night or for a nap.
    case asleep
    /// Sitting or standing.
    case resting
    /// Walking.
    case walking
    /// Running.
    case running
    /// Cycling: a high heart rate without steps.
    case cycling
}
