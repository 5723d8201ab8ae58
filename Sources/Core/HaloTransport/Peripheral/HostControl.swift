/// The control of one hosted device, which a backend with hosting implements for ``Hosted``.
public protocol HostControl: AnyObject, Sendable {
    /// The identity for centrals on this computer; `nil` if not known.
    var identity: PeripheralIdentity? { get }

    /// `true` while a central is connected.
    var isConnected: Bool { get }

    /// The notes on what the host could not do as the device requested. By default, none.
    var notes: [HostingNote] { get }

    /// Removes the device, and returns when it is removed.
    func remove() async

    /// Waits for the end of the hosting, and returns the error that ended it; `nil` if the device
    /// was removed by ``remove()``, or if the task is cancelled.
    func waitUntilEnded() async -> BLEError?
}

extension HostControl {
    /// Nothing: the host does all that a device wants.
    public var notes: [HostingNote] { [] }
}
