#if os(Linux)
internal import HaloTransport

/// A call of the daemon to a remote. A call with a token is answered by an effect with it; only the
/// answer to a read has a value.
enum FakeRemoteCall: Sendable {
    case connect(Link)
    /// The link has ended, and with it all subscriptions.
    case disconnect
    /// Reads the value from an offset on; the answer is the rest of the value.
    case read(AttributeID, offset: Int, ResponseToken)
    /// Writes the value from an offset on; without response if there is no token. A long value is
    /// written as a whole, as the daemon reassembles it.
    case write([UInt8], AttributeID, offset: Int = 0, ResponseToken? = nil)
    case subscribe(AttributeID, isOn: Bool, ResponseToken)
    case confirm(AttributeID)
    /// Ends the device: it is not called any more.
    case stop

    struct Link: Hashable, Sendable {
        /// The address of the central, which is that of its adapter.
        let centralAddress: String
        let mtu: Int
        /// `true` if the daemon answers the central before the program.
        let answersForPrograms: Bool
        /// The delay until the remote's daemon announces the central.
        let meeting: Duration
        let number: UInt64

        var maximumLength: Int { max(mtu - Self.packetHeader, 0) }

        private static let packetHeader = 3
    }
}
#endif
