/// The camera gesture: while the app's camera is open, the ring reports a waving hand.
///
///     → 02 action                      4 enter, 5 keep alive (every 2 s), 6 leave
///     ← 02 event                       0 nothing, 1 entered, 2 gesture, 3 finished
///
/// Seen on an R10. Apps ignore a second gesture within some three seconds.
public enum Camera: ActionCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x02, "Camera", "camera gesture", .captured)
    }

    /// An event that the ring reports.
    public struct Reply: ReplyPacket {
        public typealias Owner = Camera

        public var event: Reported<Event>
        @usableFromInline package var unclaimed = InlineBytes()

        package init(_ event: Event) {
            self.event = Reported(event)
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            event = try io.reported("event", packet?.event, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// A state of the app's camera.
    public enum Action: UInt8, FieldCode {
        /// The camera opens: the ring begins to watch for gestures.
        case enter = 4
        case keepAlive = 5
        case leave = 6
    }

    /// An event that a ring reports.
    public enum Event: UInt8, FieldCode {
        /// An acknowledgement without an event.
        case nothing = 0
        /// The ring watches for gestures now.
        case entered = 1
        /// The hand was waved: take a picture.
        case gesture = 2
        /// The ring stopped watching.
        case finished = 3
    }
}
