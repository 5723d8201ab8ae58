/// **Dangerous**: ends an update.
///
///     → 05 bytes…      not described: kept as they are
///     ← 05 status      vendor notes only
///
/// Here so that logs can name it. A request can only be read, not made.
public enum DangerousFirmwareUpdateEnd: DangerousFirmwareUpdate {
    public static var name: FieldName { "DangerousFirmwareUpdateEnd" }
    public static var title: FieldName { "firmware update: end" }
    public static var requestID: UInt8 { 0x05 }
}
