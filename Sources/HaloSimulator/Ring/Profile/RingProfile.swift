public import HaloProtocol

/// A kind of ring: what it says of itself, what it answers, and where it is peculiar.
///
/// Facts come from captures where there are some; where there are none, a choice had to be made,
/// and the words beside it say so. The profiles are ``r02``, ``r03``, ``r10``, ``r12``, ``h59``.
public struct RingProfile: Sendable {
    /// What it is sold as.
    public var model: String
    /// What its name begins with; the end of its address follows.
    public var namePrefix: String
    /// The firmware's version, as the ring tells it.
    public var firmware: String
    /// The board's version, as the ring tells it.
    public var hardware: String
    /// The maker's name, where the ring tells one.
    public var manufacturer: String?
    /// What it answers when its clock is set.
    public var capabilities: SetTime.Reply
    /// What it answers when asked for its functions.
    public var functions: DeviceFunctions.Reply
    /// What it does with each command.
    public var commands: RingConductTable
    /// What it does with each record.
    public var records: RingConductTable
    /// How many bytes it puts into one notification.
    public var notificationLength: UInt8
    /// For how long it keeps what it stores.
    public var retention = RingRetention()
    /// How long it takes for things.
    public var timing = RingTiming()
    /// Where it is peculiar.
    public var quirks: RingQuirks
    /// The settings that it comes with.
    public var factorySettings: RingSettings
    /// Whether it has the service of WeChat, which apps do not need.
    public var hasWeChat: Bool
    /// How much its battery holds: 17 mAh is said of an R02, the others are guesses.
    public var batteryMicroampereHours: Int

    /// The firmware's version in parts, if its text has the usual form.
    public var firmwareVersion: FirmwareVersion? { try? FirmwareVersion(parsing: firmware) }

    /// All profiles.
    public static let all: [RingProfile] = [r02, r03, r10, r12, h59]
}

extension RingProfile: CustomStringConvertible {
    /// The model.
    public var description: String { model }
}
