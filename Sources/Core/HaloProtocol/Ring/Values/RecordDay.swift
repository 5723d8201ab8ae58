/// One day of ``RecordDays``.
public protocol RecordDay: Hashable, Sendable {
    /// The length of a day in bytes; at least one.
    static var length: Int { get }
    /// The layout of the day. See ``FieldIO``.
    init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError)
}
