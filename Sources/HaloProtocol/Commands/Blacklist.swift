/// A list of what is not wanted: callers, it seems.
///
///     → 2D …                           not described: kept as it is
///     ← 2D …
///
/// Vendor notes name it "blacklist" and say no more.
public enum Blacklist: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x2D }
    @inlinable public static var name: FieldName { "Blacklist" }
    @inlinable public static var title: FieldName { "blacklist" }
}
