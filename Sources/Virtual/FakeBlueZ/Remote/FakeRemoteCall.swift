#if os(Linux)
internal import HaloTransport

/// A call of the daemon to a remote.
enum FakeRemoteCall: Sendable {
    /// The completion of an operation; only a read has a value.
    typealias Completion = @Sendable (Result<[UInt8], ATTError>) -> Void

    /// A central has connected.
    case connect(FakeRemoteLink)
    /// The link has ended, and with it all subscriptions.
    case disconnect
    /// Reads the value from an offset on; the answer is the rest of the value.
    case read(AttributeID, offset: Int)
    /// Writes the value from an offset on. A long value is written as a whole, as the daemon
    /// reassembles it.
    case write([UInt8], AttributeID, offset: Int = 0, WriteMode)
    /// Starts or ends a subscription.
    case subscribe(AttributeID, isOn: Bool)
    /// The central has confirmed an indication.
    case confirm(AttributeID)
    /// Ends the device: it is not called any more.
    case stop
}
#endif
