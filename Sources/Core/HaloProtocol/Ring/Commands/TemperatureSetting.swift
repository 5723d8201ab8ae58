/// The automatic measurement of temperature; blood sugar and lipids share the command.
///
///     → 3A kind 01                     reads
///     → 3A kind 02 enabled             writes: one source, on an R09
///     → 3A kind 02 enabled 1E 05 0A 00 B9    writes: another source; the rest is unexplained
///     ← 3A kind 01 enabled             enabled: 1 on, 0 off
///     ← 3A kind 02 …                   the reply to a write is not known: kept as it is
///
/// Kind 3 is temperature. Kinds 1, blood sugar, and 2, blood lipids, are from vendor notes only.
/// The reading was captured: on from an R10, off from an R12.
public enum TemperatureSetting: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x3A, "TemperatureSetting", "automatic temperature", .captured)
    }

    /// A request to read or write the setting of one kind.
    public struct Request: RequestPacket {
        public typealias Owner = TemperatureSetting

        /// A read, or a write with the new setting.
        public enum Action: Hashable, Sendable {
            case read
            case write(ToggleSetting)

            @usableFromInline var setting: ToggleSetting? {
                if case .write(let setting) = self { setting } else { nil }
            }
        }

        public var kind: Kind
        public let action: Action
        /// The bytes after the fields: the unexplained ones of a write, else none.
        @usableFromInline package var unclaimed = InlineBytes()

        /// Returns a request for the setting of one kind.
        @inlinable @inline(__always)
        public static func read(_ kind: Kind) -> Request {
            Request(kind, .read)
        }

        /// Returns a request that switches one kind on or off.
        @inlinable @inline(__always)
        public static func write(_ kind: Kind, isOn: Bool) -> Request {
            Request(kind, .write(ToggleSetting(SwitchState(isOn))))
        }

        @inlinable @inline(__always)
        init(_ kind: Kind, _ action: Action) {
            self.kind = kind
            self.action = action
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            kind = try io.code("kind", packet?.kind, .open)
            switch try io.selector("action", packet.map { SettingAction(reads: $0.onlyReads) }) {
            case .read: action = .read
            case .write: action = .write(try ToggleSetting(&io, packet?.action.setting))
            }
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }

        public var onlyReads: Bool { action == .read }

        /// Accepts a reading of this kind for a read, and an echo for a write.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            guard reply.kind.known ?? kind == kind else { return false }
            return switch reply.content {
            case .reading: onlyReads
            case .written: !onlyReads
            case .undescribed: true
            }
        }
    }

    /// The reply to a read or a write.
    public struct Reply: ReplyPacket {
        public typealias Owner = TemperatureSetting

        /// The kind of reply, with its fields.
        public enum Content: Hashable, Sendable {
            case reading(ToggleSetting)
            case written
            /// A reply to neither a read nor a write, as far as is known; its bytes are kept.
            case undescribed(UndescribedAction)

            @usableFromInline var action: Reported<SettingAction> {
                switch self {
                case .reading: Reported(.read)
                case .written: Reported(.write)
                case .undescribed(let action): Reported(rawValue: action.rawValue)
                }
            }

            @usableFromInline var setting: ToggleSetting? {
                if case .reading(let setting) = self { setting } else { nil }
            }
        }

        public var kind: Reported<Kind>
        public let content: Content
        @usableFromInline package var unclaimed = InlineBytes()

        @inlinable @inline(__always)
        public init(_ kind: Kind, _ content: Content) {
            self.kind = Reported(kind)
            self.content = content
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            kind = try io.reported("kind", packet?.kind, .open)
            let action = try io.reportedSelector("action", packet?.content.action)
            switch action.known {
            case .read: content = .reading(try ToggleSetting(&io, packet?.content.setting))
            case .write: content = .written
            case nil: content = .undescribed(UndescribedAction(action.rawValue))
            }
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// The measured quantity.
    public enum Kind: UInt8, FieldCode {
        /// Blood sugar; vendor notes only.
        case bloodSugar = 1
        /// Blood lipids; vendor notes only.
        case bloodLipids = 2
        case temperature = 3
    }
}
