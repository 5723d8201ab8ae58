/// How long the screen stays lit, it seems.
///
///     → 1F …                           not described: kept as it is
///     ← 1F …
///
/// Vendor notes name it "display time" and say no more.
public enum DisplayTime: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x1F }
    @inlinable public static var name: FieldName { "DisplayTime" }
    @inlinable public static var title: FieldName { "display time" }
}
