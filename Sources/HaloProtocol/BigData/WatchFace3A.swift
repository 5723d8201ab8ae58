/// The face of a watch, under the first of two ids. Vendor notes only; its layout is not known.
///
///     → 3A bytes…      not described: kept as they are
///     ← 3A bytes…      not described: kept as they are
///
/// What tells it from 3F is not known.
public enum WatchFace3A: RawRecord {
    public static var name: FieldName { "WatchFace3A" }
    public static var title: FieldName { "watch face (3A)" }
    public static var requestID: UInt8 { 0x3A }
}
