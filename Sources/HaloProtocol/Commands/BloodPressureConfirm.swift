/// Confirms what ``BloodPressureData`` brought.
///
///     → 0E code                        0 confirm; FF is used as well, notes do not say for what
///     ← 0E …                           never seen: kept as it is
///
/// Vendor notes only.
public enum BloodPressureConfirm: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x0E }
    @inlinable public static var name: FieldName { "BloodPressureConfirm" }
    @inlinable public static var title: FieldName { "blood pressure confirmation" }
    @inlinable public static var evidence: Evidence { .vendor }

    /// Never seen.
    public typealias Reply = RawReply<BloodPressureConfirm>

    /// Confirms.
    public struct Request: RequestPacket {
        public typealias Owner = BloodPressureConfirm

        /// What is confirmed.
        public var code: Code
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// A confirmation.
        @inlinable @inline(__always)
        public init(_ code: Code) {
            self.code = code
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            code = try reader.code("code")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.code("code", code)
            writer.unclaimed(unclaimed)
        }
    }

    /// What is confirmed.
    public enum Code: UInt8, FieldCode {
        /// The data arrived.
        case confirm = 0
        /// The other code in use; its meaning is not described.
        case undescribedFF = 0xFF

        /// The code in words.
        public var label: FieldName {
            switch self {
            case .confirm: "confirm"
            case .undescribedFF: "FF (not described)"
            }
        }
    }
}
