#if os(Linux)
/// The delays of the fake daemon.
public struct FakeTiming: Hashable, Sendable {
    /// The time from the start of discovery to the first device.
    package var finding: Duration
    /// The time after which a device's RSSI changes, to a weaker one and back, so that the daemon
    /// signals it again. `nil` never changes it, as with the emulator of BlueZ, where programs that
    /// listen too late miss devices (bleak missed 8 of 12).
    package var fading: Duration?
    /// The time from `Connect` to the link.
    package var connecting: Duration
    /// The time from the link to the central's `Connected`, where the adapter hosts the device.
    package var meeting: Duration
    /// The time from the link to its services.
    package var resolving: Duration
    /// The time from `Disconnect` to the end of the link; meanwhile values are still signalled.
    package var disconnecting: Duration
    /// The timeout of `Connect` for an absent device.
    package var unreachable: Duration
    /// The time after which a device that is neither connected nor received is removed.
    package var forgetting: Duration
    /// The interval of the check for devices that do not answer: a link is ended after one to two
    /// intervals without an answer.
    package var answering: Duration

    /// Creates delays; by default none, except for the timeouts, and an RSSI that changes once a
    /// second.
    public init(
        finding: Duration = .zero, fading: Duration? = .seconds(1), connecting: Duration = .zero,
        meeting: Duration = .zero, resolving: Duration = .zero, disconnecting: Duration = .zero,
        unreachable: Duration = .seconds(2),
        forgetting: Duration = .seconds(30), answering: Duration = .seconds(30)
    ) {
        self.finding = finding
        self.fading = fading
        self.connecting = connecting
        self.meeting = meeting
        self.resolving = resolving
        self.disconnecting = disconnecting
        self.unreachable = unreachable
        self.forgetting = forgetting
        self.answering = answering
    }

    /// The delays of 5.66, as seen: `Disconnect` takes more than two seconds, `Connect` to an
    /// absent device forty, and a central is announced after 76 to 267 milliseconds. The time to
    /// the removal of a device is that of the daemon's source; the changes of RSSI are an
    /// assumption.
    public static let realistic = FakeTiming(
        finding: .milliseconds(26), connecting: .milliseconds(36), meeting: .milliseconds(150),
        resolving: .milliseconds(155), disconnecting: .milliseconds(2600),
        unreachable: .milliseconds(40_460))
}
#endif
