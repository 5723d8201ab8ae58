/// The codes of the security manager's commands that show the role of their sender (Core
/// Specification, volume 3, part H, 3.5 and 3.6.7).
enum SecurityCommand {
    static let pairingRequest: UInt8 = 0x01
    static let pairingResponse: UInt8 = 0x02
    static let securityRequest: UInt8 = 0x0B
}
