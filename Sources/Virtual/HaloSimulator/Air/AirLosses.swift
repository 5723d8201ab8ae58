package struct AirLosses: Hashable, Sendable {
    /// Packets of devices beyond ``AirLimits/packetsToCentral``.
    package var packets = 0
    package var truncatedValues = 0
    /// Outputs dropped beyond ``AirLimits/outputs``.
    package var outputs = 0
    /// Replies of devices without a matching request.
    package var strayReplies = 0
    /// Notifications and indications sent without a connection or a subscription.
    package var unsubscribed = 0
}
