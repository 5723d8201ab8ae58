/// A card that the device shows. Vendor notes only; its layout is not known.
///
///     → 2F bytes…      not described: kept as they are
///     ← 2F bytes…      not described: kept as they are
public enum ElectronicCard: RawRecord {
    public static var name: FieldName { "ElectronicCard" }
    public static var title: FieldName { "electronic card" }
    public static var requestID: UInt8 { 0x2F }
}
