#if os(Linux)
/// What is said with a read or a write: by a client to the daemon, or by the daemon to a program
/// that is a device.
package enum AttributeOption {
    /// Where in the value to begin.
    package static let offset = "offset"
    /// How a value is written: ``request``, ``command`` or ``reliable``.
    package static let type = "type"
    /// With an answer.
    package static let request = "request"
    /// Without one.
    package static let command = "command"
    /// In pieces that are sent back.
    package static let reliable = "reliable"
    /// To a device only: the longest packet of the link.
    package static let mtu = "mtu"
    /// To a device only: the object of the central that asks.
    package static let device = "device"
    /// To a device only: the kind of link.
    package static let link = "link"
    /// The kind of link that this project speaks.
    package static let lowEnergy = "LE"
    /// To a device only: whether a piece of a long write may come, and nothing is written yet.
    package static let prepareAuthorize = "prepare-authorize"
}
#endif
