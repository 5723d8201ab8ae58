/// Sets when the ring reminds its wearer to move.
///
///     → 26 …                           not described: kept as it is
///     ← 26 …
///
/// Vendor notes only: they say that times are two decimal digits each, not where those stand. That
/// 25 reads and 26 writes is inferred from the alarms, 23 and 24.
public enum SedentaryReminderWrite: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x26 }
    @inlinable public static var name: FieldName { "SedentaryReminderWrite" }
    @inlinable public static var title: FieldName { "sedentary reminder, write" }
}
