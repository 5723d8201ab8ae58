/// **Dangerous**: says what follows.
///
///     → 02 bytes…      not described: kept as they are
///     ← 02 status      vendor notes only
///
/// Here so that logs can name it. A request can only be read, not made.
public enum DangerousFirmwareUpdateInitialise: DangerousFirmwareUpdate {
    public static var name: FieldName { "DangerousFirmwareUpdateInitialise" }
    public static var title: FieldName { "firmware update: initialise" }
    public static var requestID: UInt8 { 0x02 }
}
