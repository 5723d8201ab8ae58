/// Text for the screen of rings that have one, such as those with R11CR boards.
///
///     → 18 …                           not described: kept as it is
///     ← 18 …
///
/// Vendor notes name it and say no more.
public enum DisplayText: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x18 }
    @inlinable public static var name: FieldName { "DisplayText" }
    @inlinable public static var title: FieldName { "display text" }
}
