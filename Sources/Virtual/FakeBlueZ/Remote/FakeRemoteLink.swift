#if os(Linux)
/// The link between a central and a remote.
struct FakeRemoteLink: Hashable, Sendable {
    /// The address of the central, which is that of its adapter.
    let centralAddress: String
    let mtu: Int
    /// `true` if the daemon answers the central before the program.
    let answersForPrograms: Bool
    /// The delay until the remote's daemon announces the central.
    let meeting: Duration
    /// The unique number.
    let number: UInt64

    /// The maximum length of a value in one packet.
    var maximumLength: Int { max(mtu - Self.packetHeader, 0) }

    private static let packetHeader = 3
}
#endif
