/// Blood oxygen at intervals. Vendor notes only; its layout is not known.
///
///     → 5F bytes…      not described: kept as they are
///     ← 5F bytes…      not described: kept as they are
public enum BloodOxygenIntervals: RawRecord {
    public static var name: FieldName { "BloodOxygenIntervals" }
    public static var title: FieldName { "blood oxygen at intervals" }
    public static var requestID: UInt8 { 0x5F }
}
