import HaloTraffic

/// The results of all passes over a file of traffic: the survey, the errors that ended the passes,
/// the text of the capture, and the counts.
struct TrafficReading: Equatable {
    private(set) var recordCount = 0
    private(set) var byteCount = 0
    private(set) var firstMicroseconds: Int64?
    private(set) var lastMicroseconds: Int64?
    private(set) var heard: [HeardDevice] = []
    private(set) var connections: [TrafficConnection] = []
    private(set) var findings: [TrafficFinding] = []
    private(set) var error: TrafficError?
    private(set) var importError: TrafficError?
    private(set) var text: [UInt8] = []
    private(set) var counts: PacketCounts?

    /// Reads a file in pieces of a size. Results before an error count.
    init(_ bytes: Span<UInt8>, _ options: ImportOptions, inPieces size: Int) {
        do throws(TrafficError) {
            var survey = try TrafficSurvey(options)
            error = Self.failure { () throws(TrafficError) in
                try Self.eachPiece(of: bytes, size) { piece throws(TrafficError) in
                    try survey.read(piece)
                }
                try survey.finish()
            }
            let report = survey.report
            keep(report)
            var importer = try CaptureImporter(report, options)
            importError = Self.failure { () throws(TrafficError) in
                try Self.eachPiece(of: bytes, size) { piece throws(TrafficError) in
                    try importer.read(piece)
                }
                try importer.finish()
            }
            if importError != nil { try? importer.finish() }
            text = importer.drain()
            var counter = try PacketCounter(report, options)
            _ = Self.failure { () throws(TrafficError) in
                try Self.eachPiece(of: bytes, size) { piece throws(TrafficError) in
                    try counter.read(piece)
                }
            }
            try? counter.finish()
            self.counts = counter.counts
        } catch {
            importError = error
        }
    }

    private mutating func keep(_ report: TrafficReport) {
        recordCount = report.recordCount
        byteCount = report.byteCount
        firstMicroseconds = report.firstMicroseconds
        lastMicroseconds = report.lastMicroseconds
        heard = report.heard
        connections = report.connections
        findings = report.findings
    }

    private static func failure(
        _ body: () throws(TrafficError) -> Void
    ) -> TrafficError? {
        do throws(TrafficError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static func eachPiece(
        of bytes: Span<UInt8>, _ size: Int,
        _ body: (Span<UInt8>) throws(TrafficError) -> Void
    ) throws(TrafficError) {
        var start = 0
        while start < bytes.count {
            let end = min(start + size, bytes.count)
            try body(bytes.extracting(start..<end))
            start = end
        }
    }
}
