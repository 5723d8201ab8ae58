/// Whether the ring measures temperature by itself; sugar and lipids share the command.
///
///     → 3A kind 01                     reads
///     → 3A kind 02 on                  writes; so one source, on an R09
///     → 3A kind 02 on 1E 05 0A 00 B9   writes; so another one, without saying what they are
///     ← 3A kind 01 on                  on: 1 on, 0 off
///     ← 3A kind 02 …                   what answers a write is not known: kept as it is
///
/// Kind is 3 for temperature; 1 blood sugar and 2 blood lipids are vendor notes only. The reading
/// was captured: on from an R10, off from an R12.
public enum TemperatureSetting: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x3A }
    @inlinable public static var name: FieldName { "TemperatureSetting" }
    @inlinable public static var title: FieldName { "automatic temperature" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Reads or writes the setting of one kind.
    public struct Request: RequestPacket {
        public typealias Owner = TemperatureSetting

        /// What is to be done with the setting.
        public enum Action: Hashable, Sendable {
            /// Asks for it.
            case read
            /// Replaces it.
            case write(ToggleSetting)
        }

        /// What is measured.
        public var kind: Kind
        /// What is to be done with the setting.
        public let action: Action
        /// What follows: the bytes of a write that nobody has explained, else nothing.
        public let unclaimed: InlineBytes

        /// Asks for the setting of one kind.
        @inlinable @inline(__always)
        public static func read(_ kind: Kind) -> Request {
            Request(kind: kind, action: .read, unclaimed: [])
        }

        /// Switches one kind on or off.
        @inlinable @inline(__always)
        public static func write(_ kind: Kind, isOn: Bool) -> Request {
            Request(kind: kind, action: .write(ToggleSetting(Toggle(isOn))), unclaimed: [])
        }

        /// Switches one kind on or off, with the unexplained end of the one source's long form.
        @inlinable
        public static func writeLongForm(_ kind: Kind, isOn: Bool) -> Request {
            Request(
                kind: kind, action: .write(ToggleSetting(Toggle(isOn))),
                unclaimed: [0x1E, 0x05, 0x0A, 0x00, 0xB9])
        }

        @inlinable @inline(__always)
        init(kind: Kind, action: Action, unclaimed: InlineBytes) {
            self.kind = kind
            self.action = action
            self.unclaimed = unclaimed
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            kind = try reader.code("kind")
            switch try reader.selector("action", SettingAction.self) {
            case .read: action = .read
            case .write: action = .write(try ToggleSetting(from: &reader))
            }
            unclaimed = try reader.unclaimed()
        }

        /// Whether it reads.
        public var onlyReads: Bool { action == .read }

        /// A reading of this kind answers a read, and what was written a write.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            guard reply.kind.known ?? kind == kind else { return false }
            return switch reply.content {
            case .reading: onlyReads
            case .written: !onlyReads
            case .undescribed: true
            }
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.code("kind", kind)
            switch action {
            case .read:
                writer.selector("action", SettingAction.read)
            case .write(let setting):
                writer.selector("action", SettingAction.write)
                setting.encode(into: &writer)
            }
            writer.unclaimed(unclaimed)
        }
    }

    /// What a ring answers to a read or a write.
    public struct Reply: ReplyPacket {
        public typealias Owner = TemperatureSetting

        /// Which of the two it answers.
        public enum Content: Hashable, Sendable {
            /// A read: the setting as it is.
            case reading(ToggleSetting)
            /// A write.
            case written
            /// Neither; what follows is kept.
            case undescribed(UndescribedAction)
        }

        /// What is measured.
        public var kind: Reported<Kind>
        /// What it says.
        public let content: Content
        /// What follows.
        public let unclaimed: InlineBytes

        /// An answer for one kind.
        @inlinable @inline(__always)
        public init(_ kind: Kind, _ content: Content) {
            self.kind = Reported(kind)
            self.content = content
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            kind = try reader.reported("kind")
            let action = try reader.reportedSelector("action", SettingAction.self)
            switch action.known {
            case .read: content = .reading(try ToggleSetting(from: &reader))
            case .write: content = .written
            case nil: content = .undescribed(UndescribedAction(action.rawValue))
            }
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("kind", kind)
            switch content {
            case .reading(let setting):
                writer.selector("action", SettingAction.read)
                setting.encode(into: &writer)
            case .written:
                writer.selector("action", SettingAction.write)
            case .undescribed(let action):
                writer.reportedSelector("action", action)
            }
            writer.unclaimed(unclaimed)
        }
    }

    /// What is measured.
    public enum Kind: UInt8, FieldCode {
        /// Blood sugar; vendor notes only.
        case bloodSugar = 1
        /// Blood lipids; vendor notes only.
        case bloodLipids = 2
        /// Skin temperature.
        case temperature = 3

        /// The kind in words.
        public var label: FieldName {
            switch self {
            case .bloodSugar: "blood sugar"
            case .bloodLipids: "blood lipids"
            case .temperature: "temperature"
            }
        }
    }
}
