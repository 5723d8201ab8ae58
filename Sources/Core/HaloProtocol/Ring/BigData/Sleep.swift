/// The stages of nights.
///
///     → 27                     older apps
///     → 27 FF                  older apps: all days
///     → 27 days flag           newer apps: 06 01, 01 01, 00 01, FF 01; their meaning is a guess
///     ← 27 count nights…       the oldest first; each as in SleepPeriod; 00 is "none"
///
/// Newer firmware sends a ``Nap`` as well, before or after the nights. Older firmware replies to
/// the shorter requests; newer firmware perhaps not.
public enum Sleep: BigDataRequestCommand {
    public static let facts = CommandFacts(0x27, "Sleep", "sleep", .captured, onlyReads: true)

    /// A request for nights.
    public struct Request: BigDataRequest {
        public typealias Owner = Sleep

        /// The form of the request; apps differ.
        public enum Dialect: Hashable, Sendable {
            case empty
            /// One byte; FF is all days.
            case days(UInt8)
            /// Two bytes: FF is all days, the flag was always 1 (perhaps: naps as well).
            case daysAndFlag(UInt8, UInt8)

            fileprivate var days: UInt8? {
                switch self {
                case .empty: nil
                case .days(let days), .daysAndFlag(let days, _): days
                }
            }

            fileprivate var flag: UInt8? {
                if case .daysAndFlag(_, let flag) = self { flag } else { nil }
            }
        }

        public var dialect: Dialect

        /// The request of the vendor's app for all nights, sent to an R12 for example.
        public static let allNights = Request(.daysAndFlag(0xFF, 1))
        /// The request of older apps for all nights.
        public static let allNightsInOneByte = Request(.days(0xFF))
        /// The request of the oldest apps, without a payload.
        public static let empty = Request(.empty)

        public init(_ dialect: Dialect) {
            self.dialect = dialect
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            guard io.goesOn(packet.map { $0.dialect.days != nil }) else {
                dialect = .empty
                return
            }
            let days = try io.uint8("days", packet?.dialect.days, .open)
            io.means { days == 0xFF ? "all" : "\(days)" }
            guard io.goesOn(packet.map { $0.dialect.flag != nil }) else {
                dialect = .days(days)
                return
            }
            dialect = .daysAndFlag(days, try io.uint8("flag", packet?.dialect.flag, .open))
        }
    }

    /// The stored nights.
    public typealias Reply = SleepPeriods<Sleep>
}

extension SleepPeriods where Owner == Sleep {
    /// Creates a reply with the given nights, the oldest first: at most 255.
    public init(nights: [SleepPeriod]) throws(ValueError) {
        try self.init(nights)
    }

    /// The nights, the oldest first.
    public var nights: [SleepPeriod] { periods }
}

extension SleepPeriods where Owner == Nap {
    /// Creates a push with the given naps, the oldest first: at most 255.
    public init(naps: [SleepPeriod]) throws(ValueError) {
        try self.init(naps)
    }

    /// The naps, the oldest first.
    public var naps: [SleepPeriod] { periods }
}
