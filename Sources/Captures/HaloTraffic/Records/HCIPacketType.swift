/// The type of a packet between a host and its controller, as in the byte before it on a UART.
enum HCIPacketType: UInt8, Hashable, Sendable {
    /// A command of the host to the controller.
    case command = 0x01
    /// Data of a connection.
    case acl = 0x02
    /// Voice data.
    case synchronous = 0x03
    /// An event of the controller to the host.
    case event = 0x04
    /// Isochronous data.
    case isochronous = 0x05
}
