/// A setting that vendor notes call "intelligence" or "delay".
///
///     → 09 …                           not described: kept as it is
///     ← 09 …
///
/// Vendor notes name it and say no more.
public enum IntelligenceSetting: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x09 }
    @inlinable public static var name: FieldName { "IntelligenceSetting" }
    @inlinable public static var title: FieldName { "intelligence setting" }
}
