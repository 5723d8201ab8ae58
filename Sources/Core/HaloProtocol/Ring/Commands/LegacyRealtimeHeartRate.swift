/// The heart rate once a second, as old firmware streams it.
///
///     → 1E action                      1 start, 2 stop, 3 continue; one client continues with 33
///     ← 1E beatsPerMinute              once a second for some 60 s, unless continued
///
/// BlueX firmware replies: several sources, not captured. Realtek firmware refuses it (9E EE,
/// captured); use command 69, ``RealtimeMeasurement``.
public enum LegacyRealtimeHeartRate: ActionCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x1E, "LegacyRealtimeHeartRate", "realtime heart rate (old)", .severalSources)
    }

    /// One heart rate.
    public struct Reply: ReplyPacket {
        public typealias Owner = LegacyRealtimeHeartRate

        public var beatsPerMinute: UInt8
        @usableFromInline package var unclaimed = InlineBytes()

        package init(beatsPerMinute: UInt8) {
            self.beatsPerMinute = beatsPerMinute
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            beatsPerMinute = try io.uint8(
                "beatsPerMinute", packet?.beatsPerMinute, .body(.pulse), .beatsPerMinute)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// Start, stop or continue.
    public enum Action: UInt8, FieldCode {
        case start = 1
        case stop = 2
        /// The stream continues; one app sends this every 30 values.
        case `continue` = 3
        /// The digit 3 as a character, with which one client continues.
        case continueAsDigit = 0x33

        public static let labels = FieldLabels<Action>([.continueAsDigit: "continue (the digit 3)"])
    }
}
