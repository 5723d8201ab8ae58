/// **Dangerous**: requests a check of the image.
public enum DangerousFirmwareUpdateCheck: DangerousFirmwareUpdate {
    public static var facts: CommandFacts {
        CommandFacts(0x04, "DangerousFirmwareUpdateCheck", "firmware update: check", danger: danger)
    }
}
