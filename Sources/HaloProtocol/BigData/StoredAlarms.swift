/// Alarms. Its layout is not known.
///
///     → 2C bytes…      not described: kept as they are
///     ← 2C bytes…      not described: kept as they are
///
/// One capture, of an H59 band, has 01 00 from the device; how an alarm is written is not known.
public enum StoredAlarms: RawRecord {
    public static var name: FieldName { "StoredAlarms" }
    public static var title: FieldName { "stored alarms" }
    public static var evidence: Evidence { .oneSource }
    public static var requestID: UInt8 { 0x2C }
}
