/// The reasons for the end of a connection: the Core Specification, volume 1, part F.
package enum ControllerReason {
    /// The keys did not match.
    package static let authenticationFailure: UInt8 = 0x05
    /// Supervision timeout: no packet of the other side came in time.
    package static let timeout: UInt8 = 0x08
    /// The other side has ended the connection.
    package static let remoteUser: UInt8 = 0x13
    /// This side has ended the connection.
    package static let localHost: UInt8 = 0x16
    package static let unspecified: UInt8 = 0x1F
    /// The connection was not established: the peripheral has never responded.
    package static let neverEstablished: UInt8 = 0x3E

    /// Returns the reason at the other side for a reason at this side.
    package static func atOtherEnd(_ reason: UInt8) -> UInt8 {
        switch reason {
        case remoteUser: localHost
        case localHost: remoteUser
        default: reason
        }
    }
}
