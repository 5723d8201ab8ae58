#if os(Linux)
/// Keys of the options of a read or a write, to the daemon or to a program that hosts a device.
package enum AttributeOption {
    /// The first byte of the value to read or write.
    package static let offset = "offset"
    /// The kind of write: ``request``, ``command`` or ``reliable``.
    package static let type = "type"
    /// A write with response.
    package static let request = "request"
    /// A write without response.
    package static let command = "command"
    /// A reliable write: the device echoes each piece.
    package static let reliable = "reliable"
    /// To a host only: the MTU of the link.
    package static let mtu = "mtu"
    /// To a host only: the object path of the central.
    package static let device = "device"
    /// To a host only: the kind of link.
    package static let link = "link"
    /// The value of ``link`` for low energy.
    package static let lowEnergy = "LE"
    /// To a host only: `true` asks for permission to queue a piece of a long write; nothing is
    /// written yet.
    package static let prepareAuthorize = "prepare-authorize"
}
#endif
