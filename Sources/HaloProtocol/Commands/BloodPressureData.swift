/// Stored blood pressures; no ring was ever seen to have any.
///
///     → 0D
///     ← 0D FF                          nothing stored: the only captured answer
///     ← 0D …                           the layout is not known: kept as it is
///
/// Nobody found where an H59, which measures blood pressure, stores it.
public enum BloodPressureData: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x0D }
    @inlinable public static var name: FieldName { "BloodPressureData" }
    @inlinable public static var title: FieldName { "blood pressure data" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var onlyReads: Bool { true }

    /// Asks for stored blood pressures.
    public typealias Request = RawRequest<BloodPressureData>

    /// The bytes of an answer, or that there is nothing.
    public struct Reply: ReplyPacket {
        public typealias Owner = BloodPressureData

        /// What the ring says.
        public enum Content: Hashable, Sendable {
            /// Nothing is stored.
            case noData
            /// Something is: this is the first byte, and the layout is not known.
            case undescribed(first: UInt8)
        }

        /// What the ring says.
        public let content: Content
        /// What follows.
        public let unclaimed: InlineBytes

        @usableFromInline static var noDataByte: UInt8 { 0xFF }

        /// Nothing is stored.
        public static let noData = Reply()

        init() {
            content = .noData
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public static func isNoData(_ frame: Frame) -> Bool { frame[1] == noDataByte }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            let first = try reader.structure("first")
            if first == Self.noDataByte { reader.means { "no data" } }
            content = first == Self.noDataByte ? .noData : .undescribed(first: first)
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            switch content {
            case .noData: writer.structure("first", Self.noDataByte)
            case .undescribed(let first): writer.structure("first", first)
            }
            writer.unclaimed(unclaimed)
        }
    }
}
