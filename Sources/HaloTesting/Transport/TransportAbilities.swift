/// What of the transport contract can be checked in some place.
public struct TransportAbilities: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Abilities by their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The device can close the link, and stop advertising.
    public static let deviceControl = TransportAbilities(rawValue: 1)
    /// The device can change its services while it is connected.
    public static let changingServices = TransportAbilities(rawValue: 2)
    /// The thirty seconds after which a silent device loses its link pass quickly enough.
    public static let longWaits = TransportAbilities(rawValue: 4)

    /// Everything can be checked.
    public static let all: TransportAbilities = [.deviceControl, .changingServices, .longWaits]
}
