/// Heart rates at intervals. Vendor notes only; its layout is not known.
///
///     → 75 bytes…      not described: kept as they are
///     ← 75 bytes…      not described: kept as they are
public enum HeartRateIntervals: RawRecord {
    public static var name: FieldName { "HeartRateIntervals" }
    public static var title: FieldName { "heart rate at intervals" }
    public static var requestID: UInt8 { 0x75 }
}
