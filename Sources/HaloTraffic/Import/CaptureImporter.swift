/// Turns a file of traffic into the text of a capture: the second of two passes over it.
///
/// The first one is ``TrafficSurvey``: only its report tells which handle is which characteristic,
/// and whose conversation there is. The bytes are read in pieces of any size; the text is the same
/// for all of them.
public struct CaptureImporter: Sendable {
    private var reader: TrafficReader<ConversationWriter>
    private var isFinished = false

    /// Starts to import what the options select. Fails if the report has no such conversation.
    public init(
        _ report: TrafficReport, _ options: ImportOptions = ImportOptions()
    ) throws(TrafficError) {
        reader = try TrafficReader(
            options.format ?? report.format, ConversationWriter(report, options))
    }

    /// Reads more bytes. An error ends the reading: it is thrown again from then on.
    public mutating func read(_ bytes: Span<UInt8>) throws(TrafficError) {
        try reader.read(bytes)
    }

    /// Says that the file has ended. Also after an error, the text holds what was read.
    public mutating func finish() throws(TrafficError) {
        defer {
            if !isFinished { reader.sink.finish() }
            isFinished = true
        }
        try reader.finish()
    }

    /// How many records were read.
    public var recordCount: Int { reader.tally.count }

    /// Hands over the text that was written since the last time, as UTF-8.
    public mutating func takeText() -> [UInt8] { reader.sink.takeBytes() }

    /// Hands over the text that was written since the last time to `body`, and keeps the memory
    /// for what comes.
    public mutating func takeText<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try reader.sink.takeBytes(body)
    }
}
