/// **Dangerous**: carries 1,024 bytes of the image; chunks are said to be numbered from 1.
///
///     → 03 bytes…      not described: kept as they are
///     ← 03 status      vendor notes only
///
/// Here so that logs can name it. A request can only be read, not made.
public enum DangerousFirmwareUpdateChunk: DangerousFirmwareUpdate {
    public static var name: FieldName { "DangerousFirmwareUpdateChunk" }
    public static var title: FieldName { "firmware update: chunk" }
    public static var requestID: UInt8 { 0x03 }
}
