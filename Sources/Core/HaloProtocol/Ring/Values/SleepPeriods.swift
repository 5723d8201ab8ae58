/// The reply of ``Sleep``, and the push of ``Nap``.
///
///     count | periods…
public struct SleepPeriods<Owner: BigDataCommand>: BigDataReply {
    /// The periods, the oldest first; at most 255, and no more bytes than fit into a frame.
    let periods: [SleepPeriod]

    init(_ periods: [SleepPeriod]) throws(ValueError) {
        try ValueError.check("periods", periods.count, in: 0...UInt8.max)
        let length = periods.reduce(1) { $0 + $1.length }
        try ValueError.check("length", length, in: 0...BigDataFrame.maximumPayloadLength)
        self.periods = periods
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let count = try io.extent("count", packet?.periods.count)
        periods = try io.elements("periods", packet?.periods, count: count)
    }
}
