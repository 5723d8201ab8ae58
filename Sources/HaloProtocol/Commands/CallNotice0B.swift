/// A notice of a call; ``CallNotice11`` is another one.
///
///     → 0B …                           not described: kept as it is
///     ← 0B …
///
/// Vendor notes name it and say no more.
public enum CallNotice0B: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x0B }
    @inlinable public static var name: FieldName { "CallNotice0B" }
    @inlinable public static var title: FieldName { "call notice (0B)" }
}
