/// **Dangerous**: carries 1,024 bytes of the image; chunks are said to be numbered from 1.
package enum DangerousFirmwareUpdateChunk: DangerousFirmwareUpdate {
    package static var facts: CommandFacts {
        CommandFacts(0x03, "DangerousFirmwareUpdateChunk", "firmware update: chunk", danger: danger)
    }
}
