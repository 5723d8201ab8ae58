public import HaloTransport

/// A device in a virtual air, as seen by the program that added it.
public struct Placed<Device: GATTPeripheral>: Sendable, CustomStringConvertible {
    package let number: DeviceNumber
    let world: VirtualWorld

    /// The identity that centrals see.
    public var identity: PeripheralIdentity { number.identity }

    /// Changes the device from outside; it then handles
    /// ``/HaloTransport/PeripheralEvent/changed``.
    ///
    /// Returns `nil` once the device was removed. The function runs under the air's lock, and must
    /// not use the air.
    @discardableResult
    public func modify<Result>(_ body: (inout Device) -> Result) -> Result? {
        world.state.run { $0.air.modify(number, as: Device.self, body) }
    }

    /// The current state of the device, or `nil` once it was removed.
    public var state: Device? { world.read { $0.air.device(number, as: Device.self) } }

    /// `true` if a central is connected.
    public var isConnected: Bool { world.read { $0.air.isConnected(number) } }

    /// Removes the device, as if its battery were taken out.
    public func remove() {
        world.state.run { $0.air.remove(number) }
    }

    /// Moves the device out of range.
    public func moveAway() {
        world.state.run { $0.air.setAway(true, number) }
    }

    /// Moves the device back into range.
    public func comeBack() {
        world.state.run { $0.air.setAway(false, number) }
    }

    /// Sets the device's distance from the centrals.
    public func move(toCentimetres distance: Int) {
        world.state.run { $0.air.place(number, atCentimetres: distance) }
    }

    /// The identity that centrals see.
    public var description: String { identity.description }
}
