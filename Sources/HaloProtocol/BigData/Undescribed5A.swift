/// A record that nobody has named. Its layout is not known.
///
///     → 5A bytes…      not described: kept as they are
///     ← 5A bytes…      not described: kept as they are
///
/// One source has 01 01 06 from an H59 band.
public enum Undescribed5A: RawRecord {
    public static var name: FieldName { "Undescribed5A" }
    public static var title: FieldName { "undescribed (5A)" }
    public static var evidence: Evidence { .oneSource }
    public static var requestID: UInt8 { 0x5A }
}
