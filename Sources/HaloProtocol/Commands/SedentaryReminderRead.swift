/// Asks when the ring reminds its wearer to move.
///
///     → 25 …                           not described: kept as it is
///     ← 25 …
///
/// Vendor notes only: they say that times are two decimal digits each, not where those stand. That
/// 25 reads and 26 writes is inferred from the alarms, 23 and 24.
public enum SedentaryReminderRead: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x25 }
    @inlinable public static var name: FieldName { "SedentaryReminderRead" }
    @inlinable public static var title: FieldName { "sedentary reminder, read" }
    @inlinable public static var onlyReads: Bool { true }
}
