/// **Dangerous**: requests a check of the image.
package enum DangerousFirmwareUpdateCheck: DangerousFirmwareUpdate {
    package static var facts: CommandFacts {
        CommandFacts(0x04, "DangerousFirmwareUpdateCheck", "firmware update: check", danger: danger)
    }
}
