/// Sport on a wrist band.
///
///     → 13 …                           not described: kept as it is
///     ← 13 …
///
/// Vendor notes name it and say no more.
public enum BandSport: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x13 }
    @inlinable public static var name: FieldName { "BandSport" }
    @inlinable public static var title: FieldName { "band sport" }
}
