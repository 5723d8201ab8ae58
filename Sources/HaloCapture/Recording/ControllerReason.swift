/// Why a connection ended, as controllers say it: the Core Specification, volume 1, part F.
package enum ControllerReason {
    /// The keys did not fit.
    package static let authenticationFailure: UInt8 = 0x05
    /// Nothing was heard from the other end for too long.
    package static let timeout: UInt8 = 0x08
    /// Whoever is at the other end has ended it.
    package static let remoteUser: UInt8 = 0x13
    /// This side has ended it.
    package static let localHost: UInt8 = 0x16
    /// For no known reason: "unspecified error".
    package static let unspecified: UInt8 = 0x1F
    /// Whoever was asked for the connection has never answered on it.
    package static let neverEstablished: UInt8 = 0x3E

    /// What the other end is told where one end is told this.
    package static func atOtherEnd(_ reason: UInt8) -> UInt8 {
        switch reason {
        case remoteUser: localHost
        case localHost: remoteUser
        default: reason
        }
    }
}
