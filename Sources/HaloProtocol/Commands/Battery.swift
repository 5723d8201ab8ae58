/// How full the battery is.
///
///     → 03                             some apps send 03 01, with the same answer
///     ← 03 percent charging
///
/// The same two bytes are pushed as ``RingNotification`` 0C when they change.
public enum Battery: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x03 }
    @inlinable public static var name: FieldName { "Battery" }
    @inlinable public static var title: FieldName { "battery level" }
    @inlinable public static var evidence: Evidence { .captured }
    @inlinable public static var onlyReads: Bool { true }

    /// Asks for the battery level.
    public typealias Request = PlainRequest<Battery>

    /// The battery level.
    public struct Reply: ReplyPacket {
        public typealias Owner = Battery

        /// How full it is; no ring has been seen to say more than 100.
        public var percent: UInt8
        /// Whether it is on its charger.
        public var charging: Reported<Charging>
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// A battery level.
        @inlinable @inline(__always)
        public init(percent: UInt8, charging: Charging) {
            self.percent = percent
            self.charging = Reported(charging)
            unclaimed = InlineBytes()
        }

        /// Whether it is on its charger.
        @inlinable public var isCharging: Bool { charging == .charging }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            percent = try reader.uint8("percent", .percent)
            charging = try reader.reported("charging")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.uint8("percent", percent)
            writer.reported("charging", charging)
            writer.unclaimed(unclaimed)
        }
    }

    /// Whether a ring is on its charger.
    public enum Charging: UInt8, FieldCode {
        /// It runs on its battery.
        case discharging = 0
        /// It is on its charger.
        case charging = 1

        /// The state in words.
        public var label: FieldName {
            switch self {
            case .discharging: "discharging"
            case .charging: "charging"
            }
        }
    }
}
