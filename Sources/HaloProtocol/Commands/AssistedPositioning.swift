/// Data that help a receiver of satellite signals to find its place (AGPS).
///
///     → 30 …                           not described: kept as it is
///     ← 30 …
///
/// Vendor notes name it and say no more.
public enum AssistedPositioning: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x30 }
    @inlinable public static var name: FieldName { "AssistedPositioning" }
    @inlinable public static var title: FieldName { "assisted positioning" }
}
