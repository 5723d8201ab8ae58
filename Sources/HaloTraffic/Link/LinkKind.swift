/// What kind of connection it is.
enum LinkKind: Hashable, Sendable {
    /// It stood when the recording began, and nothing on it told yet.
    case undetermined
    /// Low energy: it is followed.
    case lowEnergy
    /// Classic (BR/EDR): it is not followed.
    case classic
    /// Low energy, and one more than are followed.
    case unfollowed
}
