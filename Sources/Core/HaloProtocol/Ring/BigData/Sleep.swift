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

        /// The days, FF for all; `nil` in the request of the oldest apps.
        public let days: UInt8?
        /// Always 1 (perhaps: naps as well); `nil` in the requests of older apps.
        public let flag: UInt8?

        /// The request of the vendor's app for all nights, sent to an R12 for example.
        public static let allNights = Request(days: 0xFF, flag: 1)
        /// The request of older apps for all nights.
        public static let allNightsInOneByte = Request(days: 0xFF)
        /// The request of the oldest apps, without a payload.
        public static let empty = Request()

        public init(days: UInt8, flag: UInt8? = nil) {
            self.days = days
            self.flag = flag
        }

        private init() {
            days = nil
            flag = nil
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            guard io.goesOn(packet.map { $0.days != nil }) else {
                self.init()
                return
            }
            let days = try io.uint8("days", packet?.days, .open)
            io.means { days == 0xFF ? "all" : "\(days)" }
            let hasFlag = io.goesOn(packet.map { $0.flag != nil })
            self.init(days: days, flag: hasFlag ? try io.uint8("flag", packet?.flag, .open) : nil)
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
