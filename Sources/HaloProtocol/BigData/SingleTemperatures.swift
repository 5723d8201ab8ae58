/// Temperatures that were measured one at a time. Vendor notes only; its layout is not known.
///
///     → 26 bytes…      not described: kept as they are
///     ← 26 bytes…      not described: kept as they are
///
/// The request is said to name a day.
public enum SingleTemperatures: RawRecord {
    public static var name: FieldName { "SingleTemperatures" }
    public static var title: FieldName { "single temperatures" }
    public static var requestID: UInt8 { 0x26 }
}
