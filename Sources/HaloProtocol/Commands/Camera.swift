/// Takes pictures by a gesture: while the app's camera is open, the ring reports a waving hand.
///
///     → 02 action                      4 enter, 5 keep alive (every 2 s), 6 leave
///     ← 02 event                       0 nothing, 1 entered, 2 gesture, 3 finished
///
/// Seen on an R10. Apps ignore a second gesture within some three seconds.
public enum Camera: ActionCommand, RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x02 }
    @inlinable public static var name: FieldName { "Camera" }
    @inlinable public static var title: FieldName { "camera gesture" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Opens, holds or closes the camera.
    public typealias Request = ActionRequest<Camera>

    /// What the ring noticed.
    public struct Reply: ReplyPacket {
        public typealias Owner = Camera

        /// What the ring noticed.
        public var event: Reported<Event>
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// What the ring noticed.
        @inlinable @inline(__always)
        public init(_ event: Event) {
            self.event = Reported(event)
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            event = try reader.reported("event")
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("event", event)
            writer.unclaimed(unclaimed)
        }
    }

    /// What the app's camera does.
    public enum Action: UInt8, FieldCode {
        /// It opens: the ring begins to watch for gestures.
        case enter = 4
        /// It is still open.
        case keepAlive = 5
        /// It closes.
        case leave = 6

        /// The action in words.
        public var label: FieldName {
            switch self {
            case .enter: "enter"
            case .keepAlive: "keep alive"
            case .leave: "leave"
            }
        }
    }

    /// What a ring notices.
    public enum Event: UInt8, FieldCode {
        /// Nothing: an acknowledgement.
        case nothing = 0
        /// It watches for gestures now.
        case entered = 1
        /// The hand was waved: take a picture.
        case gesture = 2
        /// It stopped watching.
        case finished = 3

        /// The event in words.
        public var label: FieldName {
            switch self {
            case .nothing: "nothing"
            case .entered: "entered"
            case .gesture: "gesture"
            case .finished: "finished"
            }
        }
    }
}
