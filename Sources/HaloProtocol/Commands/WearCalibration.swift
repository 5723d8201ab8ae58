/// Teaches the ring how it is worn.
///
///     → 20 …                           not described: kept as it is
///     ← 20 result                      1 success, 2 measuring, 3 fail
///
/// Vendor notes only; that the result stands right behind the opcode is an assumption.
public enum WearCalibration: RawCommand {
    @inlinable public static var opcode: UInt8 { 0x20 }
    @inlinable public static var name: FieldName { "WearCalibration" }
    @inlinable public static var title: FieldName { "wear calibration" }

    /// How far the calibration has come.
    public struct Reply: ReplyPacket {
        public typealias Owner = WearCalibration

        /// How far it has come.
        public var result: Reported<Result>
        /// What follows; never seen.
        public let unclaimed: InlineBytes

        /// A result.
        @inlinable @inline(__always)
        public init(_ result: Result) {
            self.result = Reported(result)
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            result = try reader.reported("result")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("result", result)
            writer.unclaimed(unclaimed)
        }
    }

    /// How far a calibration has come.
    public enum Result: UInt8, FieldCode {
        /// It is done.
        case success = 1
        /// It goes on.
        case measuring = 2
        /// It did not work.
        case failure = 3

        /// The result in words.
        public var label: FieldName {
            switch self {
            case .success: "success"
            case .measuring: "measuring"
            case .failure: "failure"
            }
        }
    }
}
