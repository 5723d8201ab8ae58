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
    @frozen
    public struct Request: RequestPacket {
        public typealias Owner = TemperatureSetting

        public var kind: Kind
        public let action: SettingAccess<ToggleSetting>
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
        init(_ kind: Kind, _ action: SettingAccess<ToggleSetting>) {
            self.kind = kind
            self.action = action
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            kind = try io.code("kind", packet?.kind, .open)
            action = try SettingAccess(&io, packet?.action)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }

        public var onlyReads: Bool { action.onlyReads }

        /// Accepts a reading of this kind for a read, and an echo for a write.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            return reply.kind.known ?? kind == kind && reply.content.answers(action)
        }
    }

    /// The reply to a read or a write.
    public struct Reply: ReplyPacket {
        public typealias Owner = TemperatureSetting

        public var kind: Reported<Kind>
        public let content: SettingContent<ToggleSetting, NoFields>
        @usableFromInline package var unclaimed = InlineBytes()

        package init(_ kind: Kind, _ content: SettingContent<ToggleSetting, NoFields>) {
            self.kind = Reported(kind)
            self.content = content
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            kind = try io.reported("kind", packet?.kind, .open)
            content = try SettingContent(&io, packet?.content)
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
