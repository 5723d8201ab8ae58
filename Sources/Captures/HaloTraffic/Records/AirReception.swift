import HaloProtocol

/// The metadata of a packet in the air, as recorded by a sniffer.
struct AirReception: Hashable, Sendable {
    /// The direction, or `nil` if the sniffer did not follow the connection.
    var direction: Direction?
    /// The signal strength in dBm, or `nil` if it was not recorded.
    var strength: Int8?
    /// `true` if the CRC was correct, `nil` if that was not recorded.
    var isIntact: Bool?
    var isDecrypted = false
}
