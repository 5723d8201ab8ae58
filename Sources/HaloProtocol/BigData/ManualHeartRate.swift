/// Heart rates that the wearer measured by hand.
///
///     → 28 day                 00 in captures; FF was sent as well, and answered with "nothing"
///     ← 28 day samples…        each sample: minute of the day, 2 bytes LE, beats per minute
///     ← 28 00                  nothing stored
///
/// Whether `day` counts days ago is likely, not proven. Seen only on R12.
public enum ManualHeartRate: BigDataRequestCommand, BigDataReplyCommand {
    public static var name: FieldName { "ManualHeartRate" }
    public static var title: FieldName { "heart rates measured by hand" }
    public static var evidence: Evidence { .captured }
    public static var requestID: UInt8 { 0x28 }
    public static var onlyReads: Bool { true }

    /// Asks for one day.
    public struct Request: BigDataRequest {
        public typealias Owner = ManualHeartRate

        /// Which day; FF perhaps all.
        public var day: UInt8

        /// Asks for today.
        public static let today = Request(day: 0)

        /// Asks for one day.
        public init(day: UInt8) {
            self.day = day
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            day = try reader.uint8("day")
        }

        /// A record of another day answers only the request for all of them.
        public func isAnswered(by frame: BigDataFrame) -> Bool {
            guard !frame.isNothing, day != Self.allDays else { return true }
            guard let reply = try? Reply(decoding: frame) else { return true }
            return reply.day == day
        }

        private static let allDays: UInt8 = 0xFF

        public func encode(into writer: inout ByteWriter) {
            writer.uint8("day", day)
        }
    }

    /// One day.
    public struct Reply: BigDataReply {
        public typealias Owner = ManualHeartRate

        /// The day of the request.
        public var day: UInt8
        /// The measurements in the ring's order.
        public let samples: [Sample]

        /// The measurements of a day, at most 21,844.
        public init(day: UInt8, samples: [Sample]) throws(ValueError) {
            self.day = day
            self.samples = try RecordLength.checked(
                samples, "samples", length: Sample.length, behind: 1)
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            day = try reader.uint8("day")
            var samples: [Sample] = []
            while reader.remaining > 0 {
                reader.enter("samples", samples.count)
                samples.append(try Sample(from: &reader))
                reader.leave()
            }
            self.samples = samples
        }

        public func encode(into writer: inout ByteWriter) {
            writer.uint8("day", day)
            for sample in samples { sample.encode(into: &writer) }
        }
    }

    /// One measurement.
    public struct Sample: Hashable, Sendable {
        /// When, on the ring's clock.
        public var time: MinuteOfDay
        /// How fast the heart beat.
        public var beatsPerMinute: UInt8

        static let length = 3

        /// A measurement at a time of day; its seconds are dropped.
        public init(time: CivilTime, beatsPerMinute: UInt8) {
            self.time = MinuteOfDay(time)
            self.beatsPerMinute = beatsPerMinute
        }

        init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            time = try reader.minuteOfDay("time")
            beatsPerMinute = try reader.uint8("beatsPerMinute", .beatsPerMinute)
        }

        func encode(into writer: inout ByteWriter) {
            writer.minuteOfDay("time", time)
            writer.uint8("beatsPerMinute", beatsPerMinute)
        }
    }
}
