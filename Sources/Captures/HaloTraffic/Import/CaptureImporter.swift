public import HaloCapture

/// Turns a file of traffic into the text of a capture: the second of two passes over it.
///
/// The report of the first pass, ``TrafficSurvey``, has the conversations, and the characteristics
/// by their handles. The bytes are read in chunks of any size, without an effect on the text.
public struct CaptureImporter: Sendable {
    private var reader: TrafficReader<ConversationWriter>

    /// Creates an importer of the conversations selected by the options. Throws if the report has
    /// none.
    public init(
        _ report: TrafficReport, _ options: ImportOptions = ImportOptions()
    ) throws(TrafficError) {
        reader = try TrafficReader(ConversationWriter(report, options), options, report)
    }

    /// Reads more bytes. An error ends the reading: further calls throw it again.
    public mutating func read(_ bytes: Span<UInt8>) throws(TrafficError) {
        try reader.read(bytes)
    }

    /// Ends the file. After an error too, the text of the earlier records is kept.
    public mutating func finish() throws(TrafficError) {
        try reader.finish()
    }

    /// Removes and returns the text that was written since the last time, as UTF-8.
    public mutating func drain() -> [UInt8] { reader.sink.writer.drainBytes() }

    /// Passes the text written since the last time to `body`, and reuses its memory.
    public mutating func drain<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try reader.sink.writer.drainBytes(body)
    }
}

extension Capture {
    /// Imports a conversation from the bytes of a file of traffic, or of an archive with one.
    ///
    /// The whole capture is held in memory. For large files, use ``CaptureImporter``.
    public init(
        importing bytes: some Sequence<UInt8>, _ options: ImportOptions = ImportOptions()
    ) throws(TrafficError) {
        let bytes = ContiguousArray(bytes)
        let archive = TrafficArchive.isArchive(bytes.span) ? try TrafficArchive(bytes) : nil
        var survey = try TrafficSurvey(options)
        try Self.read(bytes, archive, options) { (bytes) throws(TrafficError) in
            try survey.read(bytes)
        }
        try survey.finish()
        var importer = try CaptureImporter(survey.report, options)
        try Self.read(bytes, archive, options) { (bytes) throws(TrafficError) in
            try importer.read(bytes)
        }
        try importer.finish()
        var reader = CaptureReader(limits: .streaming)
        do throws(CaptureError) {
            try reader.read(importer.drain())
            self = try reader.finish()
        } catch {
            throw TrafficError(.malformed, at: 0, hint: "the imported capture is not valid")
        }
    }

    private static func read(
        _ bytes: ContiguousArray<UInt8>, _ archive: TrafficArchive?, _ options: ImportOptions,
        _ body: (Span<UInt8>) throws(TrafficError) -> Void
    ) throws(TrafficError) {
        guard let archive else { return try body(bytes.span) }
        try mapError(TrafficArchive.content) { () throws(FileReadingError<TrafficError>) in
            try archive.read(archive.log(named: options.entry), body)
        }
    }
}
