/// What the packets of a pcap or pcapng file are: a number out of tcpdump.org's list of link types.
enum LinkType: UInt32, Hashable, Sendable, CaseIterable {
    /// Packets of a UART (H4), behind the byte that tells their type.
    case uart = 187
    /// The same behind four bytes that tell the direction.
    case uartWithDirection = 201
    /// Packets of the link layer, as they were in the air.
    case air = 251
    /// What Linux tells its monitors, behind four bytes that say what it is.
    case monitor = 254
    /// Packets of the link layer behind ten bytes that say how they were received.
    case airWithHeader = 256
    /// What Nordic's nRF Sniffer tells.
    case nordic = 272

    /// The link type of a field that says more in its highest bits: whether packets end with a
    /// checksum, and how long that is, which no packets of Bluetooth have.
    init?(field: UInt32) {
        self.init(rawValue: field & 0x03FF_FFFF)
    }
}
