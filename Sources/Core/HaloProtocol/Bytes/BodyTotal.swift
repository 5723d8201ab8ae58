/// A total that a device counts.
public enum BodyTotal: Hashable, Sendable, CaseIterable {
    case steps, calories, metres, minutes, energy
}
