/// A ``PeripheralHost`` of any type of device, for a backend that stores several.
public protocol PeripheralHosting: AnyObject, Sendable {
    /// The services of the device.
    var services: [GATTService] { get }

    /// Hands an event to the device.
    func handle(_ event: PeripheralEvent)

    /// Ends the device: it handles no further events, and has no further effects.
    func stop()
}
