/// The level of the ring's battery.
///
///     → 03                             some apps send 03 01, with the same reply
///     ← 03 percent charging
///
/// The same two bytes are pushed as ``RingNotification`` 0C when they change.
public enum Battery: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x03, "Battery", "battery level", .captured, onlyReads: true)
    }

    /// The battery level.
    @frozen
    public struct Reply: ReplyPacket {
        public typealias Owner = Battery

        /// The level in percent; never more than 100 in captures.
        public var percent: UInt8
        public var charging: Reported<Charging>
        @usableFromInline package var unclaimed = InlineBytes()

        @inlinable @inline(__always)
        public init(percent: UInt8, charging: Charging) {
            self.percent = percent
            self.charging = Reported(charging)
        }

        /// `true` while the ring is on its charger.
        @inlinable public var isCharging: Bool { charging == .charging }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            percent = try io.uint8("percent", packet?.percent, .open, .percent)
            charging = try io.reported("charging", packet?.charging, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The state of charging.
    public enum Charging: UInt8, FieldCode {
        case discharging = 0
        case charging = 1
    }
}
