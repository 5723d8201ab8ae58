package import HaloProtocol

/// A ring model: its identity, its replies and its quirks.
///
/// Facts come from captures; where there is none, a comment marks the choice. The profiles are
/// ``r02``, ``r03``, ``r10``, ``r12``, ``h59``, ``r08``.
public struct RingProfile: Hashable, Sendable, CustomStringConvertible {
    /// The model's name.
    public var model: String
    /// The prefix of the advertised name; the end of the address follows it.
    package var namePrefix: String
    /// The firmware revision string.
    public var firmware: String
    /// The hardware revision string.
    public var hardware: String
    /// The manufacturer name string, if it has one.
    package var manufacturer: String?
    /// The capabilities in the reply to setting the clock.
    package var capabilities: SetTime.Reply
    package var functions = DeviceFunctions.Reply()
    package var commands: RingBehaviourTable
    package var records: RingBehaviourTable
    /// The maximum length of a notification in bytes.
    package var notificationLength: UInt8 = 244
    package var retention = RingRetention()
    package var timing = RingTiming()
    package var quirks: RingQuirks
    package var factorySettings = RingSettings()
    /// `true` if the ring has the WeChat service, which apps do not need.
    package var hasWeChat = false
    /// `true` if the ring has the second service, for records.
    package var hasBigData = true
    /// `true` if the ring is a mouse for the system. It has that service without characteristics:
    /// they are not described.
    package var isMouse = false
    /// The battery capacity in microampere hours: 17 mAh is reported of an R02, the others are
    /// guesses.
    package var batteryMicroampereHours: Int

    /// All profiles.
    public static let all: [RingProfile] = [r02, r03, r10, r12, h59, r08]

    /// The model.
    public var description: String { model }
}
