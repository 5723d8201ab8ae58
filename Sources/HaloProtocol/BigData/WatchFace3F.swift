/// The face of a watch, under the second of two ids. Vendor notes only; its layout is not known.
///
///     → 3F bytes…      not described: kept as they are
///     ← 3F bytes…      not described: kept as they are
///
/// What tells it from 3A is not known.
public enum WatchFace3F: RawRecord {
    public static var name: FieldName { "WatchFace3F" }
    public static var title: FieldName { "watch face (3F)" }
    public static var requestID: UInt8 { 0x3F }
}
