/// The parts of the transport contract that a harness can check.
public struct TransportAbilities: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates abilities from their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The device can close the link, and stop advertising.
    public static let deviceControl = TransportAbilities(rawValue: 1)
    /// The device can change its services while it is connected.
    public static let changingServices = TransportAbilities(rawValue: 2)
    /// The transport's clock is fast enough for a test to wait thirty seconds, after which the link
    /// of a silent device ends.
    public static let longWaits = TransportAbilities(rawValue: 4)

    /// All abilities: every part of the contract can be checked.
    public static let all: TransportAbilities = [.deviceControl, .changingServices, .longWaits]
}
