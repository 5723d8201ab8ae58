public import HaloCapture
public import HaloProtocol

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

extension Capture {
    /// Takes a conversation out of the bytes of a file of traffic.
    ///
    /// The whole capture is held in memory; for large files there is ``CaptureImporter``.
    public init(
        importing bytes: some Sequence<UInt8>, _ options: ImportOptions = ImportOptions()
    ) throws(TrafficError) {
        let bytes = ContiguousArray(bytes)
        var survey = try TrafficSurvey(options)
        try survey.read(bytes.span)
        try survey.finish()
        var importer = try CaptureImporter(survey.report, options)
        try importer.read(bytes.span)
        try importer.finish()
        let limits = CaptureReader.Limits(lineLength: 65_536, length: .max, lineCount: .max)
        var reader = CaptureReader(limits: limits)
        do throws(CaptureError) {
            try reader.read(importer.takeText())
            self = try reader.finish()
        } catch {
            throw TrafficError(.malformed, at: 0, hint: "the capture made of it is not one")
        }
    }
}

/// What is imported from a file of traffic, and how.
public struct ImportOptions: Hashable, Sendable {
    /// The format of the file; without it, that is found out from its first bytes.
    public var format: TrafficFormat?
    /// What attributes are, by their handles; this goes before whatever the file says.
    public var handles: [UInt16: BluetoothUUID] = [:]
    /// Whose conversation is imported.
    public var device = DeviceSelection.only
    /// Whether advertisements of the device are kept, too: the first
    /// ``ImportOptions/advertisementLimit`` before it is connected.
    public var keepsAdvertisements = false

    /// How many advertisements of a device are kept.
    public static let advertisementLimit = 64

    /// The format is found out, and the only device with a conversation is imported.
    public init() {}
}

/// Whose conversation is taken out of a file that may have several.
public enum DeviceSelection: Hashable, Sendable {
    /// That of the only device with which there is one; of several, that of the only ring, see
    /// ``TrafficConnection/isRing``.
    case only
    /// All with a device of that address, public or random.
    case address(UInt64)
    /// One connection, by its ``TrafficConnection/number``.
    case connection(Int)
    /// All with all devices.
    case all
}
