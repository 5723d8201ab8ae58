/// Asks for the alarms; ``AlarmWrite`` sets them.
///
///     → 23 …                           not described: kept as it is
///     ← 23 …
///
/// Vendor notes name it and say no more.
public enum AlarmRead: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x23 }
    @inlinable public static var name: FieldName { "AlarmRead" }
    @inlinable public static var title: FieldName { "alarms, read" }
    @inlinable public static var onlyReads: Bool { true }
}
