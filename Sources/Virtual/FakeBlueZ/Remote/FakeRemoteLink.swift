#if os(Linux)
struct FakeRemoteLink: Hashable, Sendable {
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
#endif
