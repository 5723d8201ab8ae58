/// Sleep by day, stage after stage.
///
///     ← 3E count naps…         each as in SleepPeriod; 00 is "none"
///
/// It has no request: newer firmware sends it beside the answer to ``Sleep``, on an R12 before it.
public enum Nap: BigDataReplyCommand {
    public static var name: FieldName { "Nap" }
    public static var title: FieldName { "naps" }
    public static var evidence: Evidence { .captured }
    public static var requestID: UInt8 { 0x3E }

    /// The stored naps.
    public struct Reply: BigDataReply {
        public typealias Owner = Nap

        let list: SleepPeriodList

        /// The given naps, the oldest first: at most 255.
        public init(naps: [SleepPeriod]) throws(ValueError) {
            list = try SleepPeriodList(naps)
        }

        /// The naps, the oldest first.
        public var naps: [SleepPeriod] { list.periods }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            list = try SleepPeriodList(from: &reader)
        }

        public func encode(into writer: inout ByteWriter) {
            list.encode(into: &writer)
        }
    }
}
