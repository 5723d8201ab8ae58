/// The weather, to be shown, it seems.
///
///     → 1A …                           not described: kept as it is
///     ← 1A …
///
/// Vendor notes name it and say no more.
public enum Weather: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x1A }
    @inlinable public static var name: FieldName { "Weather" }
    @inlinable public static var title: FieldName { "weather" }
}
