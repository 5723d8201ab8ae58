/// Contacts of the phone, under the first of two ids. Vendor notes only; its layout is not known.
///
///     → 29 bytes…      not described: kept as they are
///     ← 29 bytes…      not described: kept as they are
///
/// What tells it from 2D is not known.
public enum Contacts29: RawRecord {
    public static var name: FieldName { "Contacts29" }
    public static var title: FieldName { "contacts (29)" }
    public static var requestID: UInt8 { 0x29 }
}
