/// A picture of the wearer, it seems.
///
///     → 32 …                           not described: kept as it is
///     ← 32 …
///
/// Vendor notes name it and say no more; the H59 refuses it (B2 EE).
public enum Avatar: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x32 }
    @inlinable public static var name: FieldName { "Avatar" }
    @inlinable public static var title: FieldName { "avatar" }
}
