/// Why a connection ended, as controllers say it: the Core Specification, volume 1, part F.
package enum ControllerReason {
    /// Nothing was heard from the other end for too long.
    package static let timeout: UInt8 = 0x08
    /// Whoever is at the other end has ended it.
    package static let remoteUser: UInt8 = 0x13
    /// This side has ended it.
    package static let localHost: UInt8 = 0x16
    /// For no known reason: "unspecified error".
    static let unspecified: UInt8 = 0x1F

    /// What the other end is told where one end is told this.
    static func atOtherEnd(_ reason: UInt8) -> UInt8 {
        switch reason {
        case remoteUser: localHost
        case localHost: remoteUser
        default: reason
        }
    }
}
