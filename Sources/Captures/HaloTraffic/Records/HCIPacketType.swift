/// The type of a packet between a host and its controller, as in the byte before it on a UART.
enum HCIPacketType: UInt8, Hashable, Sendable {
    case command = 0x01
    /// Data of a connection.
    case acl = 0x02
    /// Voice data.
    case synchronous = 0x03
    case event = 0x04
    case isochronous = 0x05
}
