/// The direction of a packet.
public enum Direction: Hashable, Sendable, CaseIterable {
    /// From an app to a device.
    case toDevice
    /// From a device to an app.
    case fromDevice
}
