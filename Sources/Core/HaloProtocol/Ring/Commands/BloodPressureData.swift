/// Stored blood pressures; no ring was ever seen to have any.
///
///     → 0D
///     ← 0D FF                          no data: the only captured reply
///     ← 0D …                           the layout is not known: kept as it is
///
/// An H59 measures blood pressure; the storage of its values is not known.
public enum BloodPressureData: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x0D, "BloodPressureData", "blood pressure data", .captured, onlyReads: true)
    }

    /// The undescribed bytes of stored values, or "no data".
    public struct Reply: ReplyPacket {
        public typealias Owner = BloodPressureData

        /// FF for "no data"; other values are not described.
        public let first: UInt8
        @usableFromInline package var unclaimed = InlineBytes()

        @usableFromInline static var noDataByte: UInt8 { 0xFF }

        public static let noData = Reply(first: noDataByte)

        private init(first: UInt8) {
            self.first = first
        }

        @inlinable @inline(__always)
        public static func isNoData(_ frame: Frame) -> Bool { frame[1] == noDataByte }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            first = try io.structure("first", packet?.first, .measured(kept: Self.noDataByte))
            if first == Self.noDataByte { io.means { "no data" } }
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
