/// Steps of a firmware update: **dangerous**, and here only so that logs can name them.
///
///     → id bytes…      not described: kept as they are
///     ← id status
///
/// The steps are start, initialise, chunk after chunk, check, end. Vendor notes only.
package enum DangerousFirmwareUpdate {
    /// All of them, one row each, in the order of their ids.
    package static let rows: [CommandFacts] = [
        // One reply of 00 was captured: accepted, or unknown record.
        step(0x01, "DangerousFirmwareUpdateStart", "firmware update: start"),
        // Announces the image.
        step(0x02, "DangerousFirmwareUpdateInitialise", "firmware update: initialise"),
        // Carries 1,024 bytes of the image; chunks are said to be numbered from 1.
        step(0x03, "DangerousFirmwareUpdateChunk", "firmware update: chunk"),
        step(0x04, "DangerousFirmwareUpdateCheck", "firmware update: check"),
        step(0x05, "DangerousFirmwareUpdateEnd", "firmware update: end"),
    ]

    private static func step(_ id: UInt8, _ name: FieldName, _ title: FieldName) -> CommandFacts {
        CommandFacts(
            id, name, title, danger: "is a step of a firmware update: the ring may not recover")
    }

    /// The reply to each step.
    struct Reply: BytePacket {
        static var name: PacketName { PacketName("") }
        static var maximumLength: Int { BigDataFrame.maximumPayloadLength }

        /// The status of the step. 0 is also the reply of a device that does not know the step.
        let status: Reported<Status>
        /// The bytes after the status; none so far.
        let unclaimed: [UInt8]

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            status = try io.reported("status", packet?.status, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The status of a step.
    enum Status: UInt8, FieldCode {
        case success = 0
        case size = 1
        case content = 2
        /// The device is not in the right state.
        case state = 3
        case format = 4
        case inner = 5
        case lowBattery = 6

        static let labels = FieldLabels<Status>([
            .size: "wrong size", .content: "wrong content", .state: "wrong state",
            .format: "wrong format", .inner: "inner error",
        ])
    }
}
