/// **Dangerous**: ends an update.
package enum DangerousFirmwareUpdateEnd: DangerousFirmwareUpdate {
    package static var facts: CommandFacts {
        CommandFacts(0x05, "DangerousFirmwareUpdateEnd", "firmware update: end", danger: danger)
    }
}
