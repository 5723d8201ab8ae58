/// Contacts of the phone, under the second of two ids. Vendor notes only; its layout is not known.
///
///     → 2D bytes…      not described: kept as they are
///     ← 2D bytes…      not described: kept as they are
///
/// What tells it from 29 is not known.
public enum Contacts2D: RawRecord {
    public static var name: FieldName { "Contacts2D" }
    public static var title: FieldName { "contacts (2D)" }
    public static var requestID: UInt8 { 0x2D }
}
