/// A device that this program hosts, on the air or on a bus.
///
/// The device exists until ``remove()``, even if this value is dropped. It ends with the program,
/// or with the system's Bluetooth service, at the latest.
public struct Hosted<Device: GATTPeripheral>: Sendable {
    private let host: PeripheralHost<Device>
    private let control: any HostControl

    /// Creates the value that a host returns to an app: a device that the host runs, and its
    /// control.
    public init(_ host: PeripheralHost<Device>, _ control: any HostControl) {
        self.host = host
        self.control = control
    }

    /// The identity for centrals on this computer; `nil` if not known.
    public var identity: PeripheralIdentity? { control.identity }

    /// Changes the device, which then handles ``PeripheralEvent/changed``.
    @discardableResult
    public func modify<Result>(_ body: (inout Device) -> Result) -> Result { host.modify(body) }

    /// The current state of the device.
    public var state: Device { host.device }

    /// `true` while a central is connected.
    public var isConnected: Bool { control.isConnected }

    /// The notes on what the host could not do as the device requested, in order. It does the rest.
    public var notes: [HostingNote] { control.notes }

    /// Removes the device, and returns when it is removed.
    public func remove() async { await control.remove() }

    /// Waits for the end of the hosting, and returns the error that ended it; `nil` if the device
    /// was removed by ``remove()``, or if the task is cancelled.
    public func waitUntilEnded() async -> BLEError? { await control.waitUntilEnded() }
}
