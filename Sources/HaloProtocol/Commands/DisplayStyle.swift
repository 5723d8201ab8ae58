/// A style: that of the screen, it seems.
///
///     → 2A …                           not described: kept as it is
///     ← 2A …
///
/// Vendor notes name it "style" and say no more.
public enum DisplayStyle: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x2A }
    @inlinable public static var name: FieldName { "DisplayStyle" }
    @inlinable public static var title: FieldName { "style" }
}
