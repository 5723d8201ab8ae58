/// Why a connection ended, where it matters which side said it: the Core Specification, volume 1,
/// part F.
enum DisconnectReason {
    /// Whoever is at the other end has ended it.
    static let remoteUser: UInt8 = 0x13
    /// This side has ended it.
    static let localHost: UInt8 = 0x16

    /// What the other end is told where one end is told this.
    static func atOtherEnd(_ reason: UInt8) -> UInt8 {
        switch reason {
        case remoteUser: localHost
        case localHost: remoteUser
        default: reason
        }
    }
}
