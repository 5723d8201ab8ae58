/// How often things go wrong by chance, each in thousandths of the occasions.
///
/// At most one fault is drawn for an occasion; rates that add up to more than 1000 leave out the
/// later ones.
public struct FaultRates: Hashable, Sendable {
    /// Notifications that are lost.
    public var lostNotifications = 0
    /// Writes that the device never sees.
    public var lostWrites = 0
    /// Notifications and writes that arrive twice.
    public var duplications = 0
    /// Notifications that arrive behind the next one.
    public var reorderings = 0
    /// Notifications and writes with a bit flipped.
    public var corruptions = 0
    /// Notifications and writes that are cut.
    public var truncations = 0
    /// Packets that arrive up to two seconds late.
    public var delays = 0
    /// Packets before which the link is quiet for up to seven seconds, which ends some links.
    public var stalls = 0
    /// Packets at which the link is lost.
    public var disconnections = 0
    /// Requests that are refused with an error of the attribute protocol.
    public var refusals = 0
    /// Requests that are never answered, which ends the link.
    public var silences = 0
    /// Commands that the ring refuses by a frame.
    public var refusedCommands = 0
    /// Subscriptions that are accepted and not kept.
    public var lostSubscriptions = 0
    /// Links on which nobody agrees on longer packets.
    public var shortPackets = 0
    /// Links that do not come about.
    public var failedConnections = 0

    /// Nothing goes wrong.
    public init() {}

    /// Everything goes wrong so often.
    public static func everything(_ perMille: Int) -> FaultRates {
        var rates = FaultRates()
        for path in [
            \FaultRates.lostNotifications, \.lostWrites, \.duplications, \.reorderings,
            \.corruptions, \.truncations, \.delays, \.stalls, \.disconnections, \.refusals,
            \.silences, \.refusedCommands, \.lostSubscriptions, \.shortPackets,
            \.failedConnections,
        ] {
            rates[keyPath: path] = perMille
        }
        return rates
    }

    /// What can go wrong with a subject, and how often, always in the same order.
    func choices(for subject: FaultSubject) -> [(kind: FaultKind, perMille: Int)] {
        switch subject {
        case .notification:
            [
                (.loss, lostNotifications), (.duplication, duplications),
                (.reordering, reorderings), (.corruption, corruptions),
                (.truncation, truncations), (.delay, delays), (.stall, stalls),
                (.disconnection, disconnections),
            ]
        case .write:
            [
                (.loss, lostWrites), (.duplication, duplications), (.corruption, corruptions),
                (.truncation, truncations), (.delay, delays), (.stall, stalls),
                (.disconnection, disconnections), (.refusal, refusals), (.silence, silences),
                (.refusedCommand, refusedCommands),
            ]
        case .read:
            [
                (.delay, delays), (.stall, stalls), (.disconnection, disconnections),
                (.refusal, refusals), (.silence, silences),
            ]
        case .subscription:
            [
                (.loss, lostSubscriptions), (.delay, delays), (.stall, stalls),
                (.disconnection, disconnections), (.refusal, refusals), (.silence, silences),
            ]
        case .connection:
            [(.shortPackets, shortPackets), (.failedConnection, failedConnections)]
        }
    }
}
