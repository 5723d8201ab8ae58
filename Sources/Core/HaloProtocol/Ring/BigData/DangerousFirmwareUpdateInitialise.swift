/// **Dangerous**: announces the image.
public enum DangerousFirmwareUpdateInitialise: DangerousFirmwareUpdate {
    public static var facts: CommandFacts {
        CommandFacts(
            0x02, "DangerousFirmwareUpdateInitialise", "firmware update: initialise", danger: danger
        )
    }
}
