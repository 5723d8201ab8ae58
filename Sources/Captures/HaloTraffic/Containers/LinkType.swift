/// The link type of a pcap or pcapng file, as numbered by tcpdump.org.
enum LinkType: UInt32, Hashable, Sendable, CaseIterable {
    /// UART packets (H4), with their type in the first byte.
    case uart = 187
    /// Packets of another link type after CACE's per-packet information.
    case perPacketInformation = 192
    /// UART packets (H4) after four bytes with the direction.
    case uartWithDirection = 201
    case air = 251
    /// Records of Linux' monitor, after four bytes with their type.
    case monitor = 254
    /// Packets of the link layer after ten bytes of metadata.
    case airWithHeader = 256
    case nordic = 272

    /// Returns the link type of a field. The highest bits describe a checksum, which Bluetooth
    /// packets do not have, and are ignored.
    init?(field: UInt32) {
        self.init(rawValue: field & 0x03FF_FFFF)
    }
}
