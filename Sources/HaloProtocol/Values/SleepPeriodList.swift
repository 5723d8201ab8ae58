/// The list of periods that nights and naps have in common.
///
///     count | periods…
struct SleepPeriodList: Hashable, Sendable {
    /// The periods, the oldest first; at most 255, and no more bytes than a frame can carry.
    let periods: [SleepPeriod]

    /// The given periods.
    init(_ periods: [SleepPeriod]) throws(ValueError) {
        try RecordLength.check(periods.count, "periods", most: Int(UInt8.max))
        let length = periods.reduce(1) { $0 + $1.length }
        try RecordLength.check(length, "length", most: BigDataFrame.maximumPayloadLength)
        self.periods = periods
    }

    init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        let count = try reader.extent("count")
        var periods: [SleepPeriod] = []
        for index in 0..<Int(count) {
            reader.enter("periods", index)
            periods.append(try SleepPeriod(from: &reader))
            reader.leave()
        }
        self.periods = periods
    }

    func encode(into writer: inout ByteWriter) {
        writer.extent("count", UInt8(truncatingIfNeeded: periods.count))
        for period in periods { period.encode(into: &writer) }
    }
}
