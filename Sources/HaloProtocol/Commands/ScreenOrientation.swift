/// An orientation: that of the screen, it seems.
///
///     → 29 …                           not described: kept as it is
///     ← 29 …
///
/// Vendor notes name it "orientation" and say no more.
public enum ScreenOrientation: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x29 }
    @inlinable public static var name: FieldName { "ScreenOrientation" }
    @inlinable public static var title: FieldName { "orientation" }
}
