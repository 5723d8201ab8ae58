/// Switches the ring off, so that only its charger wakes it again, or restarts it.
///
///     → 08 01                          shut down; some apps call it "reboot", less credibly
///     → 08 05                          reboot: one source's inference
///
/// The ring does not reply; the link drops. An R06 was off after 08 01, and woke on a powered
/// charger only, twice in two trials (one source).
public enum DangerousPowerOff: UnansweredCommand {
    public static let facts = CommandFacts(
        0x08, "DangerousPowerOff", "power off", .severalSources,
        danger: "may turn the ring off: only its charger wakes it again")

    /// Returns the facts of the command with the danger of an action.
    package static func facts(of action: Reported<Action>) -> CommandFacts {
        let facts = facts
        let danger: FieldName? =
            switch action.known {
            case .shutDown: "turns the ring off: only its charger wakes it again"
            case .reboot: "restarts the ring, by one source, or turns it off"
            case nil: facts.danger
            }
        return CommandFacts(facts.code, facts.name, facts.title, facts.evidence, danger: danger)
    }

    /// A request to switch the ring off.
    public struct Request: RequestPacket {
        public typealias Owner = DangerousPowerOff

        public var action: Action
        @usableFromInline package var unclaimed = InlineBytes()

        /// Creates a request that may leave the ring off until it is on its charger.
        public init(knowinglySending action: Action) {
            self.action = action
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            action = try io.code("action", packet?.action, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// Off, or off and on again.
    public enum Action: UInt8, FieldCode {
        /// Off, until it is charged.
        case shutDown = 1
        /// Off and on again: one source's inference.
        case reboot = 5

        public static let labels = FieldLabels<Action>([.reboot: "reboot (one source's inference)"])
    }
}
