/// The location of phone or ring. Vendor notes only; its layout is not known.
///
///     → 20 bytes…      not described: kept as they are
///     ← 20 bytes…      not described: kept as they are
public enum Location: RawRecord {
    public static var name: FieldName { "Location" }
    public static var title: FieldName { "location" }
    public static var requestID: UInt8 { 0x20 }
}
