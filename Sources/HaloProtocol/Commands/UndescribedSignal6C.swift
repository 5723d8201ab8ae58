/// One of six commands, 6B to 70, for signals of the heart or the skin.
///
///     → 6C …                           not described: kept as it is
///     ← 6C …
///
/// Vendor notes say "pathway" and "ECG, PPG" of the six together, and not which is which.
public enum UndescribedSignal6C: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x6C }
    @inlinable public static var name: FieldName { "UndescribedSignal6C" }
    @inlinable public static var title: FieldName { "undescribed signal (6C)" }
}
