/// A message's text, to be shown, it seems.
///
///     → 72 …                           not described: kept as it is
///     ← 72 …
///
/// Vendor notes only; how text longer than a frame is cut is not described.
public enum PushMessage: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x72 }
    @inlinable public static var name: FieldName { "PushMessage" }
    @inlinable public static var title: FieldName { "push message" }
}
