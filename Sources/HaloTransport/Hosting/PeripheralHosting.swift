/// A device that is hosted, whatever it is: what a host does with one.
package protocol PeripheralHosting: AnyObject, Sendable {
    /// What the device consists of.
    var services: [GATTService] { get }

    /// Hands an event to the device.
    func handle(_ event: PeripheralEvent)

    /// Lets nothing more happen to the device, nor by it.
    func stop()
}
