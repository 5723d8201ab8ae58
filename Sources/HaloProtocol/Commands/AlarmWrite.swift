/// Sets the alarms; ``AlarmRead`` asks for them.
///
///     → 24 …                           not described: kept as it is
///     ← 24 …
///
/// Vendor notes name it and say no more.
public enum AlarmWrite: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x24 }
    @inlinable public static var name: FieldName { "AlarmWrite" }
    @inlinable public static var title: FieldName { "alarms, write" }
}
