/// Calibrates the ring to its wearer.
///
///     → 20 …                           not described: kept as it is
///     ← 20 result                      1 success, 2 measuring, 3 fail
///
/// Vendor notes only; the position of the result, directly after the opcode, is an assumption.
public enum WearCalibration: RequestCommand, SingleReplyCommand {
    public static let facts = CommandFacts(0x20, "WearCalibration", "wear calibration")

    /// The reply with the state of the calibration.
    public struct Reply: ReplyPacket {
        public typealias Owner = WearCalibration

        public var result: Reported<Outcome>
        /// The bytes after the fields; never seen.
        @usableFromInline package var unclaimed = InlineBytes()

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            result = try io.reported("result", packet?.result, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The state of a calibration.
    public enum Outcome: UInt8, FieldCode {
        case success = 1
        case measuring = 2
        case failure = 3
    }
}
