/// What a host lets others do with a device that it hosts.
package protocol HostControl: AnyObject, Sendable {
    /// What centrals on this computer call it, where that is known.
    var identity: PeripheralIdentity? { get }

    /// Whether a central is connected to it.
    var isConnected: Bool { get }

    /// Takes it away, and returns when that is done.
    func remove() async

    /// Waits for the end, and says why it came.
    func ended() async -> BLEError?
}
