#if os(Linux)
/// How long the daemon takes for what it does.
public struct FakeTiming: Hashable, Sendable {
    /// From the beginning of a search to the first that is found.
    public var finding: Duration
    /// How long a device is heard equally strong; then it is weaker, or as before, so that the
    /// daemon tells of it again. Nothing means for ever, as with the emulator of BlueZ, where
    /// programs that listen too late hear nothing more (bleak missed 8 of 12 so).
    public var fading: Duration?
    /// From `Connect` to the link.
    public var connecting: Duration
    /// From the link to the word of it, where the adapter is the device: until then the central's
    /// object says that it is not connected.
    public var meeting: Duration
    /// From the link to its services.
    public var resolving: Duration
    /// From `Disconnect` to the end of the link; values still come meanwhile.
    public var disconnecting: Duration
    /// After how long `Connect` gives up a device that is not there.
    public var unreachable: Duration
    /// After how long a device is forgotten that nobody connected to, and that is not seen.
    public var forgetting: Duration
    /// After how long without an answer of the device the link is ended: not before this, and
    /// not after twice as long.
    public var answering: Duration

    /// Everything as fast as it goes, except that what is absent is waited for, and that how
    /// strong a device is heard changes once a second.
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

    /// As 5.66 was seen: `Disconnect` takes more than two seconds, `Connect` to an absent device
    /// forty, and a central is told of after 76 to 267 milliseconds.
    /// How long a device is remembered is as the daemon's source has it; that a radio hears it
    /// sometimes stronger and sometimes weaker, a choice.
    public static let realistic = FakeTiming(
        finding: .milliseconds(26), fading: .seconds(1), connecting: .milliseconds(36),
        meeting: .milliseconds(150), resolving: .milliseconds(155),
        disconnecting: .milliseconds(2600), unreachable: .milliseconds(40_460))
}
#endif
