/// Switches the ring off: only its charger wakes it again.
///
///     → 08 01                          shut down; some apps call it "reboot", less credibly
///     → 08 05                          reboot: one source's inference
///
/// The ring does not answer, the link drops.
public enum DangerousPowerOff: DangerousCommand, UnansweredCommand {
    @inlinable public static var opcode: UInt8 { 0x08 }
    @inlinable public static var name: FieldName { "DangerousPowerOff" }
    @inlinable public static var title: FieldName { "power off" }
    @inlinable public static var evidence: Evidence { .severalSources }

    /// Switches the ring off.
    public struct Request: RequestPacket {
        public typealias Owner = DangerousPowerOff

        /// What the ring is to do.
        public var action: Action
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// Takes the ring away from its wearer until it lies on its charger, or so it may be.
        @inlinable @inline(__always)
        public init(knowinglySending action: Action) {
            self.action = action
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            action = try reader.code("action")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.code("action", action)
            writer.unclaimed(unclaimed)
        }
    }

    /// What a ring is to do.
    public enum Action: UInt8, FieldCode {
        /// Off, until it is charged.
        case shutDown = 1
        /// Off and on again: one source's inference.
        case reboot = 5

        /// The action in words.
        public var label: FieldName {
            switch self {
            case .shutDown: "shut down"
            case .reboot: "reboot (one source's inference)"
            }
        }
    }
}
