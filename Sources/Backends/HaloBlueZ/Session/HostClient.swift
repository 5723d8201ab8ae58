#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// The callbacks of a hosted device, held until the device's end.
protocol HostClient: AnyObject, Sendable {
    /// Starts the device; ``HostInput/started(_:)`` follows.
    func start()
    func deliver(_ event: PeripheralEvent)
    func ready()
    func ended(_ error: BLEError?)
}
#endif
