/// The heart rate once a second, as old firmware streams it.
///
///     → 1E action                      1 start, 2 stop, 3 continue; one client continues with 33
///     ← 1E beats                       beats per minute, for some 60 s unless continued
///
/// Realtek firmware refuses it (9E EE); command 69 is the one to use.
public enum LegacyRealtimeHeartRate: ActionCommand, RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x1E }
    @inlinable public static var name: FieldName { "LegacyRealtimeHeartRate" }
    @inlinable public static var title: FieldName { "realtime heart rate (old)" }
    @inlinable public static var evidence: Evidence { .severalSources }

    /// Starts, stops or continues.
    public typealias Request = ActionRequest<LegacyRealtimeHeartRate>

    /// One heart rate.
    public struct Reply: ReplyPacket {
        public typealias Owner = LegacyRealtimeHeartRate

        /// The heart rate.
        public var beatsPerMinute: UInt8
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// A heart rate.
        @inlinable @inline(__always)
        public init(beatsPerMinute: UInt8) {
            self.beatsPerMinute = beatsPerMinute
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            beatsPerMinute = try reader.uint8("beatsPerMinute", .beatsPerMinute)
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint8("beatsPerMinute", beatsPerMinute)
            writer.unclaimed(unclaimed)
        }
    }

    /// What is to be done.
    public enum Action: UInt8, FieldCode {
        /// The stream begins.
        case start = 1
        /// The stream ends.
        case stop = 2
        /// The stream goes on; one app says so every 30 values.
        case `continue` = 3
        /// The digit 3 as a character, with which one client continues.
        case continueAsDigit = 0x33

        /// The action in words.
        public var label: FieldName {
            switch self {
            case .start: "start"
            case .stop: "stop"
            case .continue: "continue"
            case .continueAsDigit: "continue (the digit 3)"
            }
        }
    }
}
