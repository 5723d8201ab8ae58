/// The direction of a packet.
public enum Direction: Hashable, Sendable, CaseIterable {
    case toDevice
    case fromDevice
}
