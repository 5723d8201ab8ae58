/// One of six commands, 6B to 70, for signals of the heart or the skin.
///
///     → 6F …                           not described: kept as it is
///     ← 6F …
///
/// Vendor notes say "pathway" and "ECG, PPG" of the six together, and not which is which.
public enum UndescribedSignal6F: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x6F }
    @inlinable public static var name: FieldName { "UndescribedSignal6F" }
    @inlinable public static var title: FieldName { "undescribed signal (6F)" }
}
