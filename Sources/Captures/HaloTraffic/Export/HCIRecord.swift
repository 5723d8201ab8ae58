/// The metadata of a packet between host and controller.
struct HCIRecord: Hashable, Sendable {
    /// The type of the packet.
    let type: HCIPacketType
    /// `true` if the host sent the packet.
    let isSent: Bool
    /// The time in microseconds since 1970 in UTC.
    let time: Int64
}
