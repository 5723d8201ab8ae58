/// A channel with a fixed number, as the Core Specification (volume 3, part A, 2.1) assigns them.
enum L2CAPChannel: UInt16, Hashable, Sendable {
    /// What the two sides of a classic link agree on.
    case signalling = 0x0001
    /// Broadcasts on a classic link.
    case connectionless = 0x0002
    /// The attribute protocol.
    case attributes = 0x0004
    /// What the two sides of a low energy link agree on.
    case lowEnergySignalling = 0x0005
    /// Pairing on a low energy link.
    case security = 0x0006
    /// Pairing on a classic link.
    case classicSecurity = 0x0007

    /// The first number that the two sides can agree on for a channel.
    static let firstDynamic: UInt16 = 0x0040

    /// Whether only low energy links have it; else only classic ones do.
    var isLowEnergy: Bool {
        switch self {
        case .attributes, .lowEnergySignalling, .security: true
        case .signalling, .connectionless, .classicSecurity: false
        }
    }

    /// Whether what goes over it is looked into.
    var isFollowed: Bool {
        switch self {
        case .attributes, .lowEnergySignalling, .signalling: true
        case .connectionless, .security, .classicSecurity: false
        }
    }
}
