/// Stored blood pressures; no ring was ever seen to have any.
///
///     → 0D
///     ← 0D FF                          no data: the only captured reply
///     ← 0D …                           the layout is not known: kept as it is
///
/// An H59 measures blood pressure; the storage of its values is not known.
public enum BloodPressureData: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x0D, "BloodPressureData", "blood pressure data", .captured, onlyReads: true)
    }

    /// A request for stored blood pressures.
    public typealias Request = PlainRequest<BloodPressureData>

    /// The undescribed bytes of stored values, or "no data".
    public struct Reply: ReplyPacket {
        public typealias Owner = BloodPressureData

        /// The kind of reply.
        public enum Content: Hashable, Sendable {
            case noData
            /// Undescribed data, by its first byte.
            case undescribed(first: UInt8)

            @usableFromInline var first: UInt8 {
                switch self {
                case .noData: noDataByte
                case .undescribed(let first): first
                }
            }
        }

        /// The kind of reply.
        public let content: Content
        /// The bytes after the first.
        public let unclaimed: InlineBytes

        @usableFromInline static var noDataByte: UInt8 { 0xFF }

        /// The reply without stored data.
        public static let noData = Reply()

        init() {
            content = .noData
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public static func isNoData(_ frame: Frame) -> Bool { frame[1] == noDataByte }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let first = try io.structure(
                "first", packet?.content.first, .measured(kept: Self.noDataByte))
            if first == Self.noDataByte { io.means { "no data" } }
            content = first == Self.noDataByte ? .noData : .undescribed(first: first)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }
}

/// Confirms the reply to ``BloodPressureData``.
///
///     → 0E action                      0 confirm; FF is used as well, without a description
///     ← 0E …                           never seen: kept as it is
///
/// Vendor notes only.
public enum BloodPressureConfirm: ActionCommand, RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x0E, "BloodPressureConfirm", "blood pressure confirmation")
    }

    /// An undescribed reply; never seen.
    public typealias Reply = PlainReply<BloodPressureConfirm>

    /// A request that confirms the reply.
    public typealias Request = ActionRequest<BloodPressureConfirm>

    /// A confirmation's code.
    public enum Action: UInt8, FieldCode {
        /// The data arrived.
        case confirm = 0
        /// The other code in use; its meaning is not described.
        case undescribedFF = 0xFF

        public static let labels = FieldLabels<Action>([.undescribedFF: "FF (not described)"])
    }
}

/// The automatic measurement of blood pressure: its period and its interval.
///
///     → 0C 01                          reads
///     → 0C 02 enabled period minutesPerMeasurement    writes; as the reading, never captured
///     ← 0C 01 enabled period minutesPerMeasurement    1 on, 2 off; period: start, end
///     ← 0C 02 …                        the reply to a write is not known: kept as it is
///
/// Seen on an H59 band: on, 00:00 to 23:00, every 60 minutes. An R12, which has no blood pressure,
/// sends 16 28 00 0C in place of the switch and the period: such bytes are kept without a meaning.
public enum BloodPressureSetting: SettingCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x0C, "BloodPressureSetting", "blood pressure setting", .captured)
    }

    /// The reply to a write, whose layout is not known.
    public typealias Echo = NoFields

    /// The switch, the period and the interval.
    public struct Setting: FrameFields {
        /// The switch of the measurement: 1 on, 2 off.
        public var enabled: Reported<Toggle>
        /// The hours in which the ring measures.
        public var period: DailyPeriod
        /// The interval between two measurements.
        public var minutesPerMeasurement: UInt8

        public init(isOn: Bool, period: DailyPeriod, minutesPerMeasurement: UInt8) {
            enabled = Reported(Toggle(oneOrTwo: isOn))
            self.period = period
            self.minutesPerMeasurement = minutesPerMeasurement
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            enabled = try io.reported("enabled", packet?.enabled, .open)
            period = try DailyPeriod(&io, packet?.period)
            minutesPerMeasurement = try io.uint8(
                "minutesPerMeasurement", packet?.minutesPerMeasurement, .open, .minutes)
        }
    }
}
