/// Sets when the ring reminds its wearer to drink.
///
///     → 28 …                           not described: kept as it is
///     ← 28 …
///
/// Vendor notes only. That 27 reads and 28 writes is inferred from the alarms, 23 and 24.
public enum DrinkReminderWrite: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x28 }
    @inlinable public static var name: FieldName { "DrinkReminderWrite" }
    @inlinable public static var title: FieldName { "drink reminder, write" }
}
