internal import HaloProtocol
public import HaloTransport

/// A device in a virtual air, which stays within reach of the program that put it there.
public struct Placed<Device: GATTPeripheral>: Sendable {
    /// Its number in the air.
    public let number: DeviceNumber
    let world: VirtualWorld

    /// What centrals call it.
    public var identity: PeripheralIdentity { number.identity }

    /// Changes the device from outside, which then finds out what that means for it.
    ///
    /// Nothing comes back once it has been removed. The function runs while the air stands still,
    /// and must not use it.
    @discardableResult
    public func modify<Result>(_ body: (inout Device) -> Result) -> Result? {
        world.change { $0.air.modify(number, as: Device.self, body) }
    }

    /// The device as it is; nothing once it has been removed.
    public var state: Device? { world.read { $0.air.device(number, as: Device.self) } }

    /// Whether a central is connected to it.
    public var isConnected: Bool { world.read { $0.air.isConnected(number) } }

    /// Takes it out, as if its battery were removed.
    public func remove() {
        world.change { $0.air.remove(number) }
    }

    /// Takes it out of everybody's reach.
    public func moveAway() {
        world.change { $0.air.setAway(true, number) }
    }

    /// Brings it back to where it was.
    public func comeBack() {
        world.change { $0.air.setAway(false, number) }
    }

    /// Moves it so far from the centrals.
    public func move(toCentimetres distance: Int) {
        world.change { $0.air.place(number, atCentimetres: distance) }
    }
}

extension Placed: CustomStringConvertible {
    /// What centrals call it.
    public var description: String { identity.description }
}
