internal import HaloTransport

/// The rates of random faults, each per thousand packets.
///
/// At most one fault is drawn for a packet. Where the rates for one subject add up to more than
/// 1000, the faults beyond that sum never happen.
public struct FaultRates: Hashable, Sendable {
    /// Notifications that are lost.
    public var lostNotifications = 0
    /// Writes that the device never receives.
    public var lostWrites = 0
    /// Notifications and writes that arrive twice.
    public var duplications = 0
    /// Notifications that arrive after the next one.
    public var reorderings = 0
    /// Notifications and writes with a flipped bit.
    public var corruptions = 0
    /// Notifications and writes that are truncated.
    public var truncations = 0
    /// Packets that arrive up to two seconds late.
    public var delays = 0
    /// Packets before which the link is silent for up to seven seconds, which ends some links.
    public var stalls = 0
    /// Packets at which the link is lost.
    public var disconnections = 0
    /// Requests that are refused with an ATT error.
    public var refusals = 0
    /// Requests that are never answered, which ends the link.
    public var silences = 0
    /// Commands that the ring refuses by a frame.
    public var refusedCommands = 0
    /// Subscriptions that are acknowledged and not kept.
    public var lostSubscriptions = 0
    /// Links whose MTU stays 23.
    public var shortPackets = 0
    /// Connections that fail.
    public var failedConnections = 0

    /// Creates rates of zero.
    public init() {}

    /// Returns rates with the same value for every fault.
    public static func all(perMille: Int) -> FaultRates {
        var rates = FaultRates()
        for path in paths { rates[keyPath: path] = perMille }
        return rates
    }

    /// Every rate, in the fixed order by which scenarios draw them.
    static var paths: [WritableKeyPath<FaultRates, Int>] {
        [
            \.lostNotifications, \.lostWrites, \.duplications, \.reorderings, \.corruptions,
            \.truncations, \.delays, \.stalls, \.disconnections, \.refusals, \.silences,
            \.refusedCommands, \.lostSubscriptions, \.shortPackets, \.failedConnections,
        ]
    }

    /// The possible faults of a subject with their rates, in a fixed order.
    func choices(for subject: FaultSubject) -> [(fault: LinkFault, perMille: Int)] {
        let always: [(LinkFault, Int)] = [
            (.delay(.zero), delays), (.stall(.zero), stalls), (.disconnection, disconnections),
        ]
        let refused: [(LinkFault, Int)] = [(.refusal(.unlikely), refusals), (.silence, silences)]
        let damaged: [(LinkFault, Int)] = [
            (.corruption(bit: 0), corruptions), (.truncation(length: 0), truncations),
        ]
        return switch subject {
        case .notification:
            [
                (.loss, lostNotifications), (.duplication, duplications),
                (.reordering, reorderings),
            ] + damaged + always
        case .write:
            [(.loss, lostWrites), (.duplication, duplications)] + damaged + always + refused
                + [(.refusedCommand, refusedCommands)]
        case .read: always + refused
        case .subscription: [(.loss, lostSubscriptions)] + always + refused
        case .connection:
            [(.shortPackets, shortPackets), (.failedConnection, failedConnections)]
        }
    }
}
