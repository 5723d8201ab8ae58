/// Heart rates that the wearer measured on demand.
///
///     → 28 day                 00 in captures; FF was sent as well, and the reply was "no data"
///     ← 28 day samples…        each sample: minute of the day, 2 bytes LE, beats per minute
///     ← 28 00                  no data
///
/// `day` probably counts days ago. Seen only on R12.
public enum ManualHeartRate: BigDataRequestCommand {
    public static let facts = CommandFacts(
        0x28, "ManualHeartRate", "heart rates measured by hand", .captured, onlyReads: true)

    /// A request for one day.
    public struct Request: BigDataRequest {
        public typealias Owner = ManualHeartRate

        /// The requested day; FF perhaps requests all days.
        public var day: UInt8

        public static let today = Request(day: 0)

        public init(day: UInt8) {
            self.day = day
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            day = try io.uint8("day", packet?.day, .open)
        }

        /// Accepts a record of this day, and any record for a request for all days.
        public func isAnswered(by frame: BigDataFrame) -> Bool {
            guard !frame.isSingleZero, day != Self.allDays else { return true }
            guard let reply = try? Reply(decoding: frame) else { return true }
            return reply.day == day
        }

        private static let allDays: UInt8 = 0xFF
    }

    /// The measurements of one day.
    public struct Reply: BigDataReply {
        public typealias Owner = ManualHeartRate

        /// The day of the request.
        public var day: UInt8
        /// The measurements in the ring's order.
        public let samples: [Sample]

        /// Creates a reply with the measurements of a day, at most 21,844.
        package init(day: UInt8, samples: [Sample]) throws(ValueError) {
            self.day = day
            self.samples = try RecordLength.checked(
                samples, "samples", length: Sample.length, behind: 1)
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            day = try io.uint8("day", packet?.day, .open)
            samples = try io.elements("samples", packet?.samples)
        }
    }

    /// One measurement.
    public struct Sample: Hashable, Sendable, ByteFields {
        /// The minute of the day, on the ring's clock.
        public var time: MinuteOfDay
        public var beatsPerMinute: UInt8

        static let length = 3
        static var leastLength: Int { length }

        /// Creates a measurement at a time of day; the time's seconds are dropped.
        package init(time: CivilTime, beatsPerMinute: UInt8) {
            self.time = MinuteOfDay(time)
            self.beatsPerMinute = beatsPerMinute
        }

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            time = try io.minuteOfDay("time", packet?.time, .open)
            beatsPerMinute = try io.uint8(
                "beatsPerMinute", packet?.beatsPerMinute, .body(.pulse), .beatsPerMinute)
        }
    }
}
