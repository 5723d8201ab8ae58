/// The device's Bluetooth address. Vendor notes only; its layout is not known.
///
///     → 2E bytes…      not described: kept as they are
///     ← 2E bytes…      not described: kept as they are
public enum BluetoothAddress: RawRecord {
    public static var name: FieldName { "BluetoothAddress" }
    public static var title: FieldName { "Bluetooth address" }
    public static var requestID: UInt8 { 0x2E }
}
