/// The phone's position (GPS), for a ring that records a way.
///
///     → 74 …                           not described: kept as it is
///     ← 74 …
///
/// Vendor notes name it and say no more.
public enum PhonePositioning: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x74 }
    @inlinable public static var name: FieldName { "PhonePositioning" }
    @inlinable public static var title: FieldName { "phone positioning" }
}
