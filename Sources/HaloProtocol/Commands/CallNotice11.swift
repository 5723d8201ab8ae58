/// A notice of a call; ``CallNotice0B`` is another one.
///
///     → 11 …                           not described: kept as it is
///     ← 11 …
///
/// Vendor notes name it and say no more.
public enum CallNotice11: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x11 }
    @inlinable public static var name: FieldName { "CallNotice11" }
    @inlinable public static var title: FieldName { "call notice (11)" }
}
