/// A channel with a fixed number, as assigned by the Core Specification (volume 3, part A, 2.1).
enum L2CAPChannel: UInt16, Hashable, Sendable {
    /// Signalling on a classic link.
    case signalling = 0x0001
    /// Broadcasts on a classic link.
    case connectionless = 0x0002
    case attributes = 0x0004
    case lowEnergySignalling = 0x0005
    /// Pairing on a low energy link.
    case security = 0x0006
    /// Pairing on a classic link.
    case classicSecurity = 0x0007

    var isLowEnergy: Bool {
        self == .attributes || self == .lowEnergySignalling || self == .security
    }

    /// `true` for channels whose packets are decoded. The few messages of `security` that are
    /// decoded come in one piece.
    var isFollowed: Bool {
        self == .attributes || self == .lowEnergySignalling || self == .signalling
    }
}
