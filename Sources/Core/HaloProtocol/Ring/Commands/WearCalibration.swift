/// Calibrates the ring to its wearer.
///
///     → 20 …                           not described: kept as it is
///     ← 20 result                      1 success, 2 measuring, 3 fail
///
/// Vendor notes only; the position of the result, directly after the opcode, is an assumption.
package enum WearCalibration: RequestCommand, SingleReplyCommand {
    package static let facts = CommandFacts(0x20, "WearCalibration", "wear calibration")

    /// The reply with the state of the calibration.
    package struct Reply: ReplyPacket {
        package typealias Owner = WearCalibration

        package var result: Reported<Outcome>
        /// The bytes after the fields; never seen.
        @usableFromInline package var unclaimed = InlineBytes()

        @inlinable @inline(__always)
        package init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            result = try io.reported("result", packet?.result, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The state of a calibration.
    package enum Outcome: UInt8, FieldCode {
        case success = 1
        case measuring = 2
        case failure = 3
    }
}
