/// The music that plays on the phone; ``Music1D`` is another one.
///
///     → 1C …                           not described: kept as it is
///     ← 1C …
///
/// Vendor notes name the pair and do not say what tells them apart.
public enum Music1C: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x1C }
    @inlinable public static var name: FieldName { "Music1C" }
    @inlinable public static var title: FieldName { "music (1C)" }
}
