/// **Dangerous**: asks whether the image arrived.
///
///     → 04 bytes…      not described: kept as they are
///     ← 04 status      vendor notes only
///
/// Here so that logs can name it. A request can only be read, not made.
public enum DangerousFirmwareUpdateCheck: DangerousFirmwareUpdate {
    public static var name: FieldName { "DangerousFirmwareUpdateCheck" }
    public static var title: FieldName { "firmware update: check" }
    public static var requestID: UInt8 { 0x04 }
}
