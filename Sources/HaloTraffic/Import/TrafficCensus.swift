/// Decodes what is in a file of traffic and counts it: a pass over the file after
/// ``TrafficSurvey``.
public struct TrafficCensus: Sendable {
    private var reader: TrafficReader<CensusSink>
    private var isFinished = false

    /// Starts to count what the options select; everything, where that is no one conversation.
    public init(
        _ report: TrafficReport, _ options: ImportOptions = ImportOptions()
    ) throws(TrafficError) {
        reader = try TrafficReader(
            options.format ?? report.format, CensusSink(report, options.device))
    }

    /// Reads more bytes. An error ends the reading: it is thrown again from then on.
    public mutating func read(_ bytes: Span<UInt8>) throws(TrafficError) {
        try reader.read(bytes)
    }

    /// Says that the file has ended. Also after an error, the census has what was read.
    public mutating func finish() throws(TrafficError) {
        defer {
            if !isFinished { reader.sink.finish() }
            isFinished = true
        }
        try reader.finish()
    }

    /// What was counted so far.
    public var census: PacketCensus {
        var census = PacketCensus()
        census.entries = reader.sink.tallies.entries
        census.recordCount = reader.tally.count
        return census
    }
}
