/// The counts of packets that an air dropped or truncated.
public struct AirLosses: Hashable, Sendable {
    /// Packets of devices beyond ``AirLimits/packetsToCentral``.
    public var packets = 0
    /// Notifications and indications that were truncated to the MTU.
    public var truncatedValues = 0
    /// Outputs dropped beyond ``AirLimits/outputs``.
    public var outputs = 0
    /// Replies of devices without a matching request.
    public var strayReplies = 0
    /// Notifications and indications sent without a connection or a subscription.
    public var unsubscribed = 0

    /// Creates counts of zero.
    public init() {}
}
