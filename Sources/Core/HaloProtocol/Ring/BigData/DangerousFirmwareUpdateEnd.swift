/// **Dangerous**: ends an update.
public enum DangerousFirmwareUpdateEnd: DangerousFirmwareUpdate {
    public static var facts: CommandFacts {
        CommandFacts(0x05, "DangerousFirmwareUpdateEnd", "firmware update: end", danger: danger)
    }
}
