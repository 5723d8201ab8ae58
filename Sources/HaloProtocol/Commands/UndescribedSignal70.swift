/// One of six commands, 6B to 70, for signals of the heart or the skin.
///
///     → 70 …                           not described: kept as it is
///     ← 70 …
///
/// Vendor notes say "pathway" and "ECG, PPG" of the six together, and not which is which.
public enum UndescribedSignal70: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x70 }
    @inlinable public static var name: FieldName { "UndescribedSignal70" }
    @inlinable public static var title: FieldName { "undescribed signal (70)" }
}
