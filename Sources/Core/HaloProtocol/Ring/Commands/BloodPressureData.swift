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

        /// The kind of reply.
        public enum Content: Hashable, Sendable {
            case noData
            case undescribed(first: UInt8)

            @usableFromInline var first: UInt8 {
                switch self {
                case .noData: noDataByte
                case .undescribed(let first): first
                }
            }
        }

        public let content: Content
        @usableFromInline package var unclaimed = InlineBytes()

        @usableFromInline static var noDataByte: UInt8 { 0xFF }

        public static let noData = Reply()

        init() {
            content = .noData
        }

        @inlinable @inline(__always)
        public static func isNoData(_ frame: Frame) -> Bool { frame[1] == noDataByte }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let first = try io.structure(
                "first", packet?.content.first, .measured(kept: Self.noDataByte))
            if first == Self.noDataByte { io.means { "no data" } }
            content = first == Self.noDataByte ? .noData : .undescribed(first: first)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
