/// What an air dropped or cut because somebody sent more than there is room for, or what makes no
/// sense.
public struct AirLosses: Hashable, Sendable {
    /// Packets of devices beyond ``AirLimits/packetsToCentral``.
    public var packets = 0
    /// Values that devices sent unasked and that were cut to what a packet holds.
    public var cutValues = 0
    /// Outputs beyond ``AirLimits/outputs``.
    public var outputs = 0
    /// Answers of devices to requests that nobody waits for, or of the wrong kind.
    public var strayAnswers = 0
    /// What devices sent while nobody was connected or subscribed.
    public var unheard = 0

    /// Nothing was lost.
    public init() {}
}
