/// Satellite navigation. Vendor notes only; its layout is not known.
///
///     → 48 bytes…      not described: kept as they are
///     ← 48 bytes…      not described: kept as they are
public enum Navigation: RawRecord {
    public static var name: FieldName { "Navigation" }
    public static var title: FieldName { "satellite navigation" }
    public static var requestID: UInt8 { 0x48 }
}
