#if os(Linux)
public import HaloTransport

extension BlueZTransport {
    /// Makes this computer a device that others find and connect to:
    ///
    ///     try await BlueZTransport().host(VirtualRing(.r02))
    ///
    /// It returns when the device is there, and the device stays until ``Hosted/remove()``, the
    /// end of the program, or an end for which ``Hosted/ended()`` has the reason. A daemon that is
    /// started again, or an adapter that is plugged in again, gets it again. A program that dies
    /// leaves nothing behind: the daemon notices.
    ///
    /// One central at a time is served. Of the adapter's other duties it takes no notice: a
    /// device to which this program connects meanwhile, over the same transport, is not taken for
    /// a central.
    ///
    /// What differs from a device of its own: the daemon answers for a device that does not within
    /// five seconds, and the link goes on. Of the errors of a refusal it passes on 02, 03, 06, 07,
    /// 08, 0D, FE and a service's own, 80 to 9F, and makes 0E of all others. Who subscribes
    /// without having asked for anything is told the length of packets only later. A write with a
    /// response, to a characteristic that can be written without one too, is confirmed by the
    /// daemon before the device has seen it.
    @discardableResult
    public func host<Device: GATTPeripheral>(
        _ device: Device, _ options: HostingOptions = HostingOptions()
    ) async throws(BLEError) -> Hosted<Device> {
        try await hub.host(device, options)
    }
}

/// How this computer is a device.
public struct HostingOptions: Hashable, Sendable {
    /// Whether the adapter is called by the device's name meanwhile, and by its own again in the
    /// end. Otherwise a central may see the computer's name once it is connected: advertisements
    /// have the device's name, the adapter answers with its own. A program that is killed leaves
    /// the name behind.
    public var renamesAdapter: Bool

    /// The usual way: the adapter keeps its name.
    public init(renamesAdapter: Bool = false) {
        self.renamesAdapter = renamesAdapter
    }
}
#endif
