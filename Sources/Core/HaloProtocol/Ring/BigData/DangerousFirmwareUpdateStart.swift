/// **Dangerous**: begins an update. One reply of 00 was captured: accepted, or unknown record.
package enum DangerousFirmwareUpdateStart: DangerousFirmwareUpdate {
    package static var facts: CommandFacts {
        CommandFacts(0x01, "DangerousFirmwareUpdateStart", "firmware update: start", danger: danger)
    }
}
