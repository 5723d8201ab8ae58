/// Nights, stage after stage.
///
///     → 27                     older apps
///     → 27 FF                  older apps: all days
///     → 27 days flag           newer apps: 06 01, 01 01, 00 01, FF 01; their meaning is a guess
///     ← 27 count nights…       the oldest first; each as in SleepPeriod; 00 is "none"
///
/// Newer firmware answers with a ``Nap`` as well, before or after the nights. Whether it answers
/// the shorter requests is in doubt; older firmware does.
public enum Sleep: BigDataRequestCommand, BigDataReplyCommand {
    public static var name: FieldName { "Sleep" }
    public static var title: FieldName { "sleep" }
    public static var evidence: Evidence { .captured }
    public static var requestID: UInt8 { 0x27 }
    public static var onlyReads: Bool { true }

    /// Asks for nights.
    public struct Request: BigDataRequest {
        public typealias Owner = Sleep

        /// What apps send; they differ.
        public enum Dialect: Hashable, Sendable {
            /// No payload.
            case empty
            /// One byte; FF is all days.
            case days(UInt8)
            /// Two bytes: FF is all days, the flag was always 1 (perhaps: naps as well).
            case daysAndFlag(UInt8, UInt8)
        }

        /// How the ring is asked.
        public var dialect: Dialect

        /// Asks for all nights as the vendor's app does, of an R12 for example.
        public static let allNights = Request(.daysAndFlag(0xFF, 1))
        /// Asks for all nights as older apps do.
        public static let allNightsInOneByte = Request(.days(0xFF))
        /// Asks with no payload at all, as the oldest apps do.
        public static let empty = Request(.empty)

        /// Asks in the given way.
        public init(_ dialect: Dialect) {
            self.dialect = dialect
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            guard reader.remaining > 0 else {
                dialect = .empty
                return
            }
            let days = try reader.uint8("days")
            reader.means { days == 0xFF ? "all" : "\(days)" }
            guard reader.remaining > 0 else {
                dialect = .days(days)
                return
            }
            dialect = .daysAndFlag(days, try reader.uint8("flag"))
        }

        public func encode(into writer: inout ByteWriter) {
            switch dialect {
            case .empty: break
            case .days(let days):
                writer.uint8("days", days)
            case .daysAndFlag(let days, let flag):
                writer.uint8("days", days)
                writer.uint8("flag", flag)
            }
        }
    }

    /// The stored nights.
    public struct Reply: BigDataReply {
        public typealias Owner = Sleep

        let list: SleepPeriodList

        /// The given nights, the oldest first: at most 255.
        public init(nights: [SleepPeriod]) throws(ValueError) {
            list = try SleepPeriodList(nights)
        }

        /// The nights, the oldest first.
        public var nights: [SleepPeriod] { list.periods }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            list = try SleepPeriodList(from: &reader)
        }

        public func encode(into writer: inout ByteWriter) {
            list.encode(into: &writer)
        }
    }
}
