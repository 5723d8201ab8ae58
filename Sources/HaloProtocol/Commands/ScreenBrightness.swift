/// How bright the screen is; see ``Display`` as well.
///
///     → 1B …                           not described: kept as it is
///     ← 1B …
///
/// Vendor notes name it and say no more.
public enum ScreenBrightness: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x1B }
    @inlinable public static var name: FieldName { "ScreenBrightness" }
    @inlinable public static var title: FieldName { "screen brightness" }
}
