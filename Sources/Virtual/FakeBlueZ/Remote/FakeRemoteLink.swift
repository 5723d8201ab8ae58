#if os(Linux)
internal import HaloTransport

/// The link between a central and a remote.
struct FakeRemoteLink: Hashable, Sendable {
    /// The address of the central, which is that of its adapter.
    let centralAddress: String
    let mtu: Int
    /// `true` if the daemon answers the central before the program.
    var answersForPrograms = false
    /// The delay until the remote's daemon announces the central, zero by default.
    var meeting: Duration = .zero
    /// The unique number.
    var number: UInt64 = 0

    /// The maximum length of a value in one packet.
    var maximumLength: Int { max(mtu - Self.packetHeader, 0) }

    private static let packetHeader = 3
}
#endif
