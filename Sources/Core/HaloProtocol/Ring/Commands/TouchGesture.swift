/// The app on the phone that a touch or a gesture controls.
///
///     → 3B 01 surface                  reads; 0 touch, 1 gesture, 2 special
///     → 3B 02 surface app parameter    writes; vendor notes, and one source on an R08
///     ← 3B 01 surface app parameter    0 1 for gesture on R10 and R12, and for touch on an R12
///     ← 3B 02 surface app parameter    the echo of a write (one source, R08)
///
/// The parameter is the minutes until touch sleeps, the strength of a gesture (1 to 10), or a
/// state. Notes on RT08 firmware read the strength one byte later; an R08 sent a 1 there for touch.
public enum TouchGesture: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x3B, "TouchGesture", "touch and gestures", .captured)
    }

    /// The range of a gesture's strength.
    public static var strengthRange: ClosedRange<UInt8> { 1...10 }

    /// A request to read or write the app of one surface.
    public struct Request: RequestPacket {
        public typealias Owner = TouchGesture

        public let action: SettingAction
        public var surface: Surface
        /// The new setting of a write, else `nil`.
        public let setting: Setting?
        @usableFromInline package var unclaimed = InlineBytes()

        @inlinable @inline(__always)
        init(_ action: SettingAction, _ surface: Surface, _ setting: Setting? = nil) {
            self.action = action
            self.surface = surface
            self.setting = setting
        }

        /// Returns a request for the setting of a surface.
        @inlinable
        public static func read(_ surface: Surface) -> Request { Request(.read, surface) }

        /// Returns a request that lets touch control an app, until some minutes after the last
        /// touch.
        @inlinable
        public static func writeTouch(_ app: App, sleepMinutes: UInt8) -> Request {
            write(Setting(app, parameter: sleepMinutes), to: .touch)
        }

        /// Returns a request that lets gestures of a strength from 1 to 10 control an app.
        public static func writeGesture(
            _ app: App, strength: UInt8
        ) throws(ValueError) -> Request {
            try ValueError.check("strength", strength, in: TouchGesture.strengthRange)
            return write(Setting(app, parameter: strength), to: .gesture)
        }

        /// Returns a request that sets the third surface; notes describe only that it has a state.
        @inlinable
        public static func writeSpecial(_ app: App, state: UInt8) -> Request {
            write(Setting(app, parameter: state), to: .special)
        }

        /// Returns a request that writes a setting as it is, also one that a ring has reported and
        /// that is beyond the limits of the others.
        @inlinable
        package static func write(_ setting: Setting, to surface: Surface) -> Request {
            Request(.write, surface, setting)
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            action = try io.selector("action", packet?.action)
            surface = try io.code("surface", packet?.surface, .open)
            setting = action == .write ? try Setting(&io, packet?.setting) : nil
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }

        public var onlyReads: Bool { action.onlyReads }

        /// Accepts a reading of this surface for a read, and any echo for a write: of other rings
        /// than an R08, what they repeat is not known.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            let found = reply.action == .read ? reply.reading?.surface.known : surface
            return found ?? surface == surface && reply.action.known ?? action == action
        }
    }

    /// The reply to a read or a write.
    public struct Reply: ReplyPacket {
        public typealias Owner = TouchGesture

        /// The action of the request, as the ring repeats it.
        public let action: Reported<SettingAction>
        /// The setting that the ring has, or repeats after a write; `nil` for another action.
        public let reading: Reading?
        @usableFromInline package var unclaimed = InlineBytes()

        package init(_ action: SettingAction, reading: Reading) {
            self.action = Reported(action)
            self.reading = reading
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            action = try io.reportedSelector("action", packet?.action)
            reading = action.known == nil ? nil : try Reading(&io, packet?.reading)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// A surface with its setting.
    public struct Reading: FrameFields {
        public var surface: Reported<Surface>
        public var setting: Setting

        package init(_ surface: Surface, _ setting: Setting) {
            self.surface = Reported(surface)
            self.setting = setting
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            surface = try io.reported("surface", packet?.surface, .open)
            setting = try Setting(&io, packet?.setting)
        }
    }

    /// The setting of one surface.
    public struct Setting: FrameFields {
        public var app: Reported<App>
        /// The minutes until touch sleeps, the strength of a gesture, or a state, by surface.
        public var parameter: UInt8

        /// Creates a setting; the meaning of the parameter depends on the surface.
        @inlinable @inline(__always)
        public init(_ app: App, parameter: UInt8) {
            self.app = Reported(app)
            self.parameter = parameter
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            app = try io.reported("app", packet?.app, .open)
            parameter = try io.uint8("parameter", packet?.parameter, .open)
        }
    }

    /// A way to operate a ring.
    public enum Surface: UInt8, FieldCode {
        case touch = 0
        /// Moving the hand.
        case gesture = 1
        /// An undescribed surface.
        case special = 2
    }

    /// An app on the phone that a ring controls.
    public enum App: UInt8, FieldCode {
        case off = 0
        case music = 1
        /// Short videos.
        case video = 2
        /// Counting prayers.
        case muslim = 3
        case electronicBook = 4
        /// The camera; see ``Camera``.
        case camera = 5
        case call = 6
        case game = 7
        /// "Hearts" in vendor notes; not described further.
        case heart = 8
        /// No app of its own: the ring reports each touch (one source, R08).
        case report = 9
    }
}
