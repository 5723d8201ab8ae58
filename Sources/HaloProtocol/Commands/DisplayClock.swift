/// The clock on the screen of rings that have one.
///
///     → 12 …                           not described: kept as it is
///     ← 12 …
///
/// Vendor notes name it and say no more.
public enum DisplayClock: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x12 }
    @inlinable public static var name: FieldName { "DisplayClock" }
    @inlinable public static var title: FieldName { "display clock" }
}
