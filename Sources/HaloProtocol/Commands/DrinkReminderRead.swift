/// Asks when the ring reminds its wearer to drink.
///
///     → 27 …                           not described: kept as it is
///     ← 27 …
///
/// Vendor notes only; an R03 refuses it (A7 EE). That 27 reads and 28 writes is inferred from the
/// alarms, 23 and 24.
public enum DrinkReminderRead: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x27 }
    @inlinable public static var name: FieldName { "DrinkReminderRead" }
    @inlinable public static var title: FieldName { "drink reminder, read" }
    @inlinable public static var onlyReads: Bool { true }
}
