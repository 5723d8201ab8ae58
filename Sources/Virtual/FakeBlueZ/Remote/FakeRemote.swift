#if os(Linux)
internal import HaloTransport

/// A device within reach of a fake adapter: one of this program, or one that another program has
/// registered with the daemon.
///
/// Rules:
/// - It is started once, and from then on emits events; at once or later, from any thread. It is
///   called without locks, and emits without locks.
/// - One central at a time is connected to it. The daemon keeps the connections.
/// - Every read, write with response and subscription is completed once, or never: the daemon waits
///   as long as Bluetooth does, and then ends the link.
/// - The daemon has checked operations against the properties; the remote checks them again, as
///   devices do.
protocol FakeRemote: AnyObject, Sendable {
    /// The services, without those that every device has (1800 and 1801).
    var services: [GATTService] { get }

    /// Starts the device. Its advertisement, if there is one, follows as an event.
    func start(_ events: @escaping @Sendable (FakeRemoteEvent) -> Void)

    /// Handles a connection.
    func connect(_ link: FakeRemoteLink)

    /// Handles the end of the link, and of all subscriptions.
    func disconnect()

    /// Reads the value from an offset on; the answer is the rest of the value.
    func read(
        _ attribute: AttributeID, from offset: Int,
        completion: @escaping @Sendable (Result<[UInt8], ATTError>) -> Void)

    /// Writes the value from an offset on. A long value is written as a whole, as the daemon
    /// reassembles it. Without response the error is ignored, but the completion signals room for
    /// the next write.
    func write(
        _ value: [UInt8], to attribute: AttributeID, from offset: Int, _ mode: WriteMode,
        completion: @escaping @Sendable (ATTError?) -> Void)

    /// Starts or ends a subscription.
    func setNotify(
        _ attribute: AttributeID, isOn: Bool,
        completion: @escaping @Sendable (ATTError?) -> Void)

    /// Handles the confirmation of an indication.
    func confirm(_ attribute: AttributeID)

    /// Ends the device: it is not called any more.
    func stop()
}
#endif
