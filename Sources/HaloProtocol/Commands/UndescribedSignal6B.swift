/// One of six commands, 6B to 70, for signals of the heart or the skin.
///
///     → 6B …                           not described: kept as it is
///     ← 6B …
///
/// Vendor notes say "pathway" and "ECG, PPG" of the six together, and not which is which.
public enum UndescribedSignal6B: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x6B }
    @inlinable public static var name: FieldName { "UndescribedSignal6B" }
    @inlinable public static var title: FieldName { "undescribed signal (6B)" }
}
