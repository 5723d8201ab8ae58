/// A device that is met on the air or on a bus, and stays within reach of the program that hosts
/// it.
///
/// It goes on being a device until ``remove()``, also when nobody holds this value; and at the
/// latest when the program ends, or when what it is hosted by is gone.
public struct Hosted<Device: GATTPeripheral>: Sendable {
    private let host: PeripheralHost<Device>
    private let control: any HostControl

    package init(_ host: PeripheralHost<Device>, _ control: any HostControl) {
        self.host = host
        self.control = control
    }

    /// What centrals on this computer call it, where that is known.
    public var identity: PeripheralIdentity? { control.identity }

    /// Changes the device from outside, which then finds out what that means for it.
    @discardableResult
    public func modify<Result>(_ body: (inout Device) -> Result) -> Result { host.modify(body) }

    /// The device as it is.
    public var state: Device { host.device }

    /// Whether a central is connected to it.
    public var isConnected: Bool { control.isConnected }

    /// Takes it away, and returns when nobody can see it any more.
    public func remove() async { await control.remove() }

    /// Waits until it is a device no longer, and says why; nothing if it was removed here, or if
    /// the task is cancelled.
    public func ended() async -> BLEError? { await control.ended() }
}
