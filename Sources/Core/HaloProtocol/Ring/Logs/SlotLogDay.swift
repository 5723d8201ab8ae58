/// The day of a log, as the second frame contains it.
public protocol SlotLogDay: Hashable, Sendable, CustomStringConvertible {
    /// The number of samples after the day in its frame.
    static var samplesBeside: Int { get }
    /// The layout of the day. See ``FieldIO``.
    @inlinable
    init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}
