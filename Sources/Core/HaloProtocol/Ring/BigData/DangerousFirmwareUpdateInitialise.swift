/// **Dangerous**: announces the image.
package enum DangerousFirmwareUpdateInitialise: DangerousFirmwareUpdate {
    package static var facts: CommandFacts {
        CommandFacts(
            0x02, "DangerousFirmwareUpdateInitialise", "firmware update: initialise", danger: danger
        )
    }
}
