/// Sets what ``NotificationSwitches`` reads.
///
///     → 60 …                           not described: kept as it is
///     ← 60 …
///
/// Vendor notes only.
public enum SetNotificationSwitches: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x60 }
    @inlinable public static var name: FieldName { "SetNotificationSwitches" }
    @inlinable public static var title: FieldName { "notification switches, write" }
}
