/// Decodes and counts the packets in a file of traffic. This is a second pass over the file, after
/// ``TrafficSurvey``.
public struct PacketCounter: Sendable {
    private var reader: TrafficReader<PacketCountSink>

    /// Starts to count the selected conversations. If the selection is not one conversation, all
    /// are counted.
    public init(
        _ report: TrafficReport, _ options: ImportOptions = ImportOptions()
    ) throws(TrafficError) {
        reader = try TrafficReader(PacketCountSink(report, options.device), options, report)
    }

    /// Reads more bytes. An error ends the reading: further calls throw it again.
    public mutating func read(_ bytes: Span<UInt8>) throws(TrafficError) {
        try reader.read(bytes)
    }

    /// Ends the file. After an error too, the counts are those of the earlier records.
    public mutating func finish() throws(TrafficError) {
        try reader.finish()
    }

    /// The counts so far.
    public var counts: PacketCounts { PacketCounts(reader.sink) }
}
