/// Finds out what is in a file of traffic: the first of two passes over it.
///
/// It takes the bytes in pieces of any size and keeps none of them: its memory has limits that do
/// not depend on the file's length.
public struct TrafficSurvey: Sendable {
    private let options: ImportOptions
    private var reader: TrafficReader<SurveySink>

    /// How many connections are followed.
    public static let connectionLimit = LinkTable<ATTFollower>.mostNumbers
    /// How many devices are remembered that only advertise.
    public static let deviceLimit = 1024
    /// How many attributes are remembered, of all connections together.
    public static let attributeLimit = 32_768

    /// Starts with nothing read. Fails for a format that cannot be imported.
    public init(_ options: ImportOptions = ImportOptions()) throws(TrafficError) {
        self.options = options
        reader = try TrafficReader(options.format, SurveySink())
    }

    /// Reads more bytes. An error ends the reading: it is thrown again from then on.
    public mutating func read(_ bytes: Span<UInt8>) throws(TrafficError) {
        try reader.read(bytes)
    }

    /// Says that the file has ended. Also after an error, the report says what was read.
    public mutating func finish() throws(TrafficError) {
        try reader.finish()
    }

    /// What was found so far.
    public var report: TrafficReport {
        var report = TrafficReport()
        report.format = reader.format
        report.byteCount = reader.byteCount
        report.recordCount = reader.tally.count
        report.firstMicroseconds = reader.tally.first
        report.lastMicroseconds = reader.tally.first == nil ? nil : reader.tally.latest
        report.heard = reader.sink.heard.devices
        report.findings = reader.sink.findings.all
        report.connections = HandleResolver(reader.sink.connections, options).connections(
            names: reader.sink.heard)
        return report
    }
}
