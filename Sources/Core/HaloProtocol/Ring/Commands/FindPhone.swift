/// A push that asks the phone to make a sound.
///
///     ← 22 state                       1 on, 2 off
///
/// Vendor notes only.
public enum FindPhone: SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x22, "FindPhone", "find the phone")
    }

    /// A start or an end of the phone's sound.
    public struct Reply: ReplyPacket {
        public typealias Owner = FindPhone

        /// On while the phone is to make a sound.
        public var state: Reported<SwitchState>
        /// The bytes after the fields; never seen.
        @usableFromInline package var unclaimed = InlineBytes()

        package init(isOn: Bool) {
            state = Reported(SwitchState(oneOrTwo: isOn))
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            state = try io.reported("state", packet?.state, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}
