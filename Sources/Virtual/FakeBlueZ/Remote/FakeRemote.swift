#if os(Linux)
internal import HaloTransport

/// A device within reach of a fake adapter: one of this program, or one that another program has
/// registered with the daemon.
///
/// Rules:
/// - It is started once, and from then on has effects; at once or later, from any thread. It is
///   called without locks, and has effects without locks.
/// - One central at a time is connected to it. The daemon keeps the connections, and ignores
///   changes of the advertisement meanwhile.
/// - Every read, write with response and subscription is answered once, or never: the daemon waits
///   as long as Bluetooth does, and then ends the link.
/// - The daemon has checked operations against the properties; the remote checks them again, as
///   devices do.
protocol FakeRemote: AnyObject, Sendable {
    /// The services, without those that every device has (1800 and 1801).
    var services: [GATTService] { get }

    /// Starts the device. Its advertisement, if there is one, follows as an effect.
    func start(_ perform: @escaping @Sendable (PeripheralEffect) -> Void)

    func receive(_ call: FakeRemoteCall)
}
#endif
