/// What touching or waving the ring controls.
///
///     → 3B 01 surface                  reads; 0 touch, 1 gesture, 2 special
///     → 3B 02 surface app parameter    writes; vendor notes only
///     ← 3B 01 surface app parameter    0 1 for gesture on R10 and R12, and for touch on an R12
///     ← 3B 02 …                        what answers a write is not known: kept as it is
///
/// The parameter is the minutes until touch sleeps, the strength of a gesture (1 to 10), or a
/// state. Notes on RT08 firmware read the strength one byte later.
public enum TouchGesture: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x3B }
    @inlinable public static var name: FieldName { "TouchGesture" }
    @inlinable public static var title: FieldName { "touch and gestures" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Reads or writes what one surface controls.
    public struct Request: RequestPacket {
        public typealias Owner = TouchGesture

        /// What is to be done with the setting.
        public enum Action: Hashable, Sendable {
            /// Asks for it.
            case read
            /// Replaces it.
            case write(Setting)
        }

        /// What is to be done with the setting.
        public let action: Action
        /// Which surface it is of.
        public var surface: Surface
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        @inlinable @inline(__always)
        init(_ action: Action, _ surface: Surface) {
            self.action = action
            self.surface = surface
            unclaimed = InlineBytes()
        }

        /// Asks what a surface controls.
        @inlinable
        public static func read(_ surface: Surface) -> Request { Request(.read, surface) }

        /// Lets touch control an app, until the ring was not touched for some minutes.
        @inlinable
        public static func writeTouch(_ app: App, sleepMinutes: UInt8) -> Request {
            Request(.write(Setting(app, parameter: sleepMinutes)), .touch)
        }

        /// Lets gestures of a strength from 1 to 10 control an app.
        public static func writeGesture(
            _ app: App, strength: UInt8
        ) throws(ValueError) -> Request {
            guard 1...10 ~= strength else {
                throw ValueError("strength", allowed: 1...10, found: Int64(strength))
            }
            return Request(.write(Setting(app, parameter: strength)), .gesture)
        }

        /// Writes the third surface, of which notes say no more than that it has a state.
        @inlinable
        public static func writeSpecial(_ app: App, state: UInt8) -> Request {
            Request(.write(Setting(app, parameter: state)), .special)
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            let selector = try reader.selector("action", SettingAction.self)
            surface = try reader.code("surface")
            switch selector {
            case .read: action = .read
            case .write: action = .write(try Setting(from: &reader))
            }
            unclaimed = try reader.unclaimed()
        }

        /// Whether it reads.
        public var onlyReads: Bool { action == .read }

        /// A reading of this surface answers a read, and what was written a write.
        public func isAnswered(by frame: Frame) -> Bool {
            switch try? Reply(decoding: frame).content {
            case .reading(let found, _): onlyReads && (found.known ?? surface) == surface
            case .written: !onlyReads
            case .undescribed, nil: true
            }
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            switch action {
            case .read:
                writer.selector("action", SettingAction.read)
                writer.code("surface", surface)
            case .write(let setting):
                writer.selector("action", SettingAction.write)
                writer.code("surface", surface)
                setting.encode(into: &writer)
            }
            writer.unclaimed(unclaimed)
        }
    }

    /// What a ring answers to a read or a write.
    public struct Reply: ReplyPacket {
        public typealias Owner = TouchGesture

        /// Which of the two it answers.
        public enum Content: Hashable, Sendable {
            /// A read: what a surface controls.
            case reading(Reported<Surface>, Setting)
            /// A write.
            case written
            /// Neither; what follows is kept.
            case undescribed(UndescribedAction)
        }

        /// What it says.
        public let content: Content
        /// What follows.
        public let unclaimed: InlineBytes

        /// Either answer.
        @inlinable @inline(__always)
        public init(_ content: Content) {
            self.content = content
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            let action = try reader.reportedSelector("action", SettingAction.self)
            switch action.known {
            case .read:
                let surface = try reader.reported("surface", Surface.self)
                content = .reading(surface, try Setting(from: &reader))
            case .write:
                content = .written
            case nil: content = .undescribed(UndescribedAction(action.rawValue))
            }
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            switch content {
            case .reading(let surface, let setting):
                writer.selector("action", SettingAction.read)
                writer.reported("surface", surface)
                setting.encode(into: &writer)
            case .written:
                writer.selector("action", SettingAction.write)
            case .undescribed(let action):
                writer.reportedSelector("action", action)
            }
            writer.unclaimed(unclaimed)
        }
    }

    /// What a surface controls.
    public struct Setting: FrameFields {
        /// Which app.
        public var app: Reported<App>
        /// Minutes until touch sleeps, strength of a gesture, or a state: as the surface has it.
        public var parameter: UInt8

        /// A setting, whose parameter means what the surface makes of it.
        @inlinable @inline(__always)
        public init(_ app: App, parameter: UInt8) {
            self.app = Reported(app)
            self.parameter = parameter
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            app = try reader.reported("app")
            parameter = try reader.uint8("parameter")
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("app", app)
            writer.uint8("parameter", parameter)
        }
    }

    /// How a ring is operated.
    public enum Surface: UInt8, FieldCode {
        /// By touching it.
        case touch = 0
        /// By moving the hand.
        case gesture = 1
        /// In a way that is not described.
        case special = 2

        /// The surface in words.
        public var label: FieldName {
            switch self {
            case .touch: "touch"
            case .gesture: "gesture"
            case .special: "special"
            }
        }
    }

    /// What a ring controls on the phone.
    public enum App: UInt8, FieldCode {
        /// Nothing.
        case off = 0
        /// Music.
        case music = 1
        /// Short videos.
        case video = 2
        /// Counting prayers.
        case muslim = 3
        /// Electronic books.
        case electronicBook = 4
        /// The camera; see ``Camera``.
        case camera = 5
        /// Calls.
        case call = 6
        /// Games.
        case game = 7
        /// Hearts: so the notes say, and no more.
        case heart = 8

        /// The app in words.
        public var label: FieldName {
            switch self {
            case .off: "off"
            case .music: "music"
            case .video: "video"
            case .muslim: "muslim"
            case .electronicBook: "electronic book"
            case .camera: "camera"
            case .call: "call"
            case .game: "game"
            case .heart: "heart"
            }
        }
    }
}
