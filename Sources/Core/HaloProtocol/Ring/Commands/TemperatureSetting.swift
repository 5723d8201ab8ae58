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
        public let action: SettingAction
        /// The new setting of a write, else `nil`.
        public let setting: ToggleSetting?
        /// The bytes after the fields: the unexplained ones of a write, else none.
        @usableFromInline package var unclaimed = InlineBytes()

        /// Returns a request for the setting of one kind.
        @inlinable @inline(__always)
        public static func read(_ kind: Kind) -> Request { Request(kind, .read) }

        /// Returns a request that switches one kind on or off.
        @inlinable @inline(__always)
        public static func write(_ kind: Kind, isOn: Bool) -> Request {
            Request(kind, .write, ToggleSetting(SwitchState(isOn)))
        }

        @inlinable @inline(__always)
        init(_ kind: Kind, _ action: SettingAction, _ setting: ToggleSetting? = nil) {
            self.kind = kind
            self.action = action
            self.setting = setting
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            kind = try io.code("kind", packet?.kind, .open)
            action = try io.selector("action", packet?.action)
            setting = action == .write ? try ToggleSetting(&io, packet?.setting) : nil
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }

        public var onlyReads: Bool { action.onlyReads }

        /// Accepts a reading of this kind for a read, and an echo for a write.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            return reply.kind.known ?? kind == kind && reply.action.known ?? action == action
        }
    }

    /// The reply to a read or a write.
    public struct Reply: ReplyPacket {
        public typealias Owner = TemperatureSetting

        public var kind: Reported<Kind>
        /// The action of the request, as the ring repeats it.
        public let action: Reported<SettingAction>
        /// The setting in the reply to a read, else `nil`.
        public let reading: ToggleSetting?
        @usableFromInline package var unclaimed = InlineBytes()

        package init(_ kind: Kind, _ action: SettingAction, reading: ToggleSetting? = nil) {
            self.kind = Reported(kind)
            self.action = Reported(action)
            self.reading = reading
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            kind = try io.reported("kind", packet?.kind, .open)
            action = try io.reportedSelector("action", packet?.action)
            reading = action == .read ? try ToggleSetting(&io, packet?.reading) : nil
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
