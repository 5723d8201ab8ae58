/// **Dangerous**: begins an update.
///
///     → 01 bytes…      not described: kept as they are
///     ← 01 status      00 was captured once: taken, or an unknown record
///
/// Here so that logs can name it. A request can only be read, not made.
public enum DangerousFirmwareUpdateStart: DangerousFirmwareUpdate {
    public static var name: FieldName { "DangerousFirmwareUpdateStart" }
    public static var title: FieldName { "firmware update: start" }
    public static var requestID: UInt8 { 0x01 }
}
