/// A group of fields that several frames share: a setting, a period of the day.
public protocol FrameFields: Hashable, Sendable {
    /// The layout of the group. See ``FieldIO``.
    @inlinable
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}
