/// One day of ``RecordDays``.
public protocol RecordDay: Hashable, Sendable {
    /// The length of a whole day in bytes; at least one.
    static var length: Int { get }
    /// The length of this day in bytes. The last day of a record may end early.
    var sentLength: Int { get }
    /// The layout of the day. See ``FieldIO``.
    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}
