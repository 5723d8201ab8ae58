/// The music that plays on the phone; ``Music1C`` is another one.
///
///     → 1D …                           not described: kept as it is
///     ← 1D …
///
/// Vendor notes name the pair and do not say what tells them apart.
public enum Music1D: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x1D }
    @inlinable public static var name: FieldName { "Music1D" }
    @inlinable public static var title: FieldName { "music (1D)" }
}
