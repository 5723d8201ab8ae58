/// Something about the ring that its wearer may choose.
///
///     → 17 …                           not described: kept as it is
///     ← 17 …
///
/// Vendor notes name it; an R03 refuses it (97 EE).
public enum Personalisation: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x17 }
    @inlinable public static var name: FieldName { "Personalisation" }
    @inlinable public static var title: FieldName { "personalisation" }
}
