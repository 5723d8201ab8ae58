import HaloCapture
import HaloProtocol

/// Reads a file of traffic of any format, in chunks of any size. A file in gzip is unpacked.
///
/// The parsers of binary files are cases rather than an existential: the code behind an existential
/// is not specialised for the sink, and looks up types at run time for each record. Those of
/// texts may be one: splitting and reading a line takes much longer than that.
struct TrafficParser: Sendable {
    /// The format, or `nil` until it is known; of a file in gzip that of its content.
    private(set) var format: TrafficFormat?
    /// The number of unpacked bytes received.
    private(set) var byteCount = 0
    private var packing = Packing.unknown
    private var feeder = ChunkFeeder()
    private var parser = Parser.none
    /// The first bytes, while ``packing`` is unknown.
    private var first = ContiguousArray<UInt8>()
    /// The bytes received before the format was known.
    private var beginning = ContiguousArray<UInt8>()
    /// The characteristics of values that a log of lines does not name.
    private let unnamed: [Direction: BluetoothUUID]

    private enum Packing: Sendable {
        case unknown
        case none
        case gzip(Unpacker)
    }

    private enum Parser: Sendable {
        case none
        case btsnoop(RecordFileParser<BTSnoopFormat>)
        case pcap(RecordFileParser<PcapFormat>)
        case pcapNG(PcapNGParser)
        case packetLogger(RecordFileParser<PacketLoggerFormat>)
        case btsnooz(SnoozParser)
        case text(any UnitParser & Sendable)
    }

    /// Creates a parser of a format, or, for `nil`, of the detected one.
    init(
        _ format: TrafficFormat? = nil, unnamed: [Direction: BluetoothUUID] = [:]
    ) throws(TrafficError) {
        self.unnamed = unnamed
        if let format { try setParser(format) }
    }

    // MARK: Packing

    mutating func feed(
        _ chunk: Span<UInt8>, into sink: inout some RecordSink
    ) throws(TrafficError) {
        switch packing {
        case .none: try parse(chunk, into: &sink)
        case .gzip: try unpack(chunk, into: &sink)
        case .unknown:
            let count = min(Unpacker.gzipMagic.count - first.count, chunk.count)
            chunk.extracting(0..<count).withUnsafeBufferPointer { first.append(contentsOf: $0) }
            guard first.count == Unpacker.gzipMagic.count else { return }
            packing = first.elementsEqual(Unpacker.gzipMagic) ? .gzip(Unpacker(.gzip)) : .none
            // The usual first chunk is not divided, so nothing of it is copied.
            if count == first.count { return try feed(chunk, into: &sink) }
            let bytes = first
            try feed(bytes.span, into: &sink)
            try feed(chunk.extracting(count..<chunk.count), into: &sink)
        }
    }

    mutating func finish(into sink: inout some RecordSink) throws(TrafficError) {
        switch packing {
        case .none:
            try finishParsing(into: &sink)
        case .unknown:
            packing = .none
            let bytes = first
            try parse(bytes.span, into: &sink)
            try finishParsing(into: &sink)
        case .gzip(let unpacker):
            do throws(TrafficError) {
                try finishParsing(into: &sink)
            } catch {
                // A file that was cut ends both in its packed and in its unpacked form, and its
                // format may be unknown only because of that.
                let isShort = error.kind == .unknownFormat
                if isShort || error.kind == .truncated || error.kind == .empty {
                    try unpacker.finish()
                }
                throw error.unpacked
            }
            try unpacker.finish()
        }
    }

    private mutating func unpack(
        _ chunk: Span<UInt8>, into sink: inout some RecordSink
    ) throws(TrafficError) {
        guard case .gzip(var unpacker) = packing else { return }
        packing = .none
        defer { packing = .gzip(unpacker) }
        do throws(TrafficError) {
            try unpacker.feed(chunk) { (bytes) throws(TrafficError) in
                try mapError(\.unpacked) { () throws(TrafficError) in
                    try parse(bytes, into: &sink)
                }
            }
        } catch {
            // What a parser still holds was unpacked before the damage. After an error of its own
            // there is no parser.
            try? finishParsing(into: &sink)
            throw error
        }
    }

    // MARK: Parsing

    private mutating func parse(
        _ chunk: Span<UInt8>, into sink: inout some RecordSink
    ) throws(TrafficError) {
        byteCount += chunk.count
        if format != nil { return try run(chunk, into: &sink) }
        var rest = chunk
        for length in [TrafficFormat.binaryDetectionLength, TrafficFormat.detectionLength]
        where format == nil && beginning.count < length {
            let count = min(length - beginning.count, rest.count)
            rest.extracting(0..<count).withUnsafeBufferPointer {
                beginning.append(contentsOf: $0)
            }
            rest = rest.extracting(count..<rest.count)
            guard beginning.count == length else { return }
            if length == TrafficFormat.detectionLength || TrafficFormat.isBinary(beginning.span) {
                try detect(into: &sink)
            }
        }
        try run(rest, into: &sink)
    }

    private mutating func finishParsing(into sink: inout some RecordSink) throws(TrafficError) {
        if format == nil { try detect(into: &sink) }
        try run(Span(), isLast: true, into: &sink)
    }

    private mutating func detect(into sink: inout some RecordSink) throws(TrafficError) {
        guard let format = TrafficFormat.detect(beginning.span) else {
            throw FormatHints.error(beginning.span)
        }
        try setParser(format)
        let bytes = beginning
        beginning = []
        try run(bytes.span, into: &sink)
    }

    private mutating func setParser(_ format: TrafficFormat) throws(TrafficError) {
        switch format {
        case .btsnoop: parser = .btsnoop(RecordFileParser())
        case .pcap: parser = .pcap(RecordFileParser())
        case .pcapng: parser = .pcapNG(PcapNGParser())
        case .packetLogger: parser = .packetLogger(RecordFileParser())
        case .btsnooz: parser = .btsnooz(SnoozParser())
        case .btmonText: parser = .text(BtmonTextParser())
        case .nrfConnect: parser = .text(LogParser(NRFConnectLog.self))
        case .wireshark: parser = .text(LogParser(WiresharkLog.self))
        case .wiresharkJSON: parser = .text(LogParser(WiresharkJSON.self))
        case .hexLines: parser = .text(HexLineParser(unnamed: unnamed))
        case .ringFrames: parser = .text(RingFrameParser())
        case .capture:
            throw TrafficError(
                .unknownContent, at: 0, hint: "this is a capture already; it needs no importing")
        }
        self.format = format
    }

    /// Passes a chunk to the parser. An error ends the reading, and the parser is gone.
    private mutating func run(
        _ chunk: Span<UInt8>, isLast: Bool = false, into sink: inout some RecordSink
    ) throws(TrafficError) {
        // Moved out, so that the parser's storage is not copied when it changes.
        let parser = parser
        self.parser = .none
        switch consume parser {
        case .none: break
        case .btsnoop(let parser): self.parser = .btsnoop(try fed(parser, chunk, isLast, &sink))
        case .pcap(let parser): self.parser = .pcap(try fed(parser, chunk, isLast, &sink))
        case .pcapNG(let parser): self.parser = .pcapNG(try fed(parser, chunk, isLast, &sink))
        case .packetLogger(let parser):
            self.parser = .packetLogger(try fed(parser, chunk, isLast, &sink))
        case .btsnooz(let parser): self.parser = .btsnooz(try fed(parser, chunk, isLast, &sink))
        case .text(var parser):
            // In place: an existential passed by value is copied, with its line.
            try feed(&parser, chunk, isLast, &sink)
            self.parser = .text(parser)
        }
    }

    private mutating func fed<Parser: UnitParser>(
        _ parser: consuming Parser, _ chunk: Span<UInt8>, _ isLast: Bool,
        _ sink: inout some RecordSink
    ) throws(TrafficError) -> Parser {
        try feed(&parser, chunk, isLast, &sink)
        return parser
    }

    private mutating func feed(
        _ parser: inout some UnitParser, _ chunk: Span<UInt8>, _ isLast: Bool,
        _ sink: inout some RecordSink
    ) throws(TrafficError) {
        try feeder.feed(chunk, to: &parser, into: &sink)
        if isLast { try feeder.finish(&parser, into: &sink) }
    }
}

extension TrafficFormat {
    /// Detects the format of a file; `nil` if it is unknown, or if the file is compressed.
    ///
    /// - Parameter beginning: The first ``detectionLength`` bytes, or all if there are fewer.
    public static func detect(_ beginning: Span<UInt8>) -> TrafficFormat? {
        if let format = binary(beginning) { return format }
        if FormatHints.isWideText(beginning), let log = TextDetection.log(beginning) { return log }
        if FormatHints.unreadable(beginning) != nil { return nil }
        return TextDetection.isCapture(beginning) ? .capture : TextDetection.log(beginning)
    }

    static func isBinary(_ beginning: Span<UInt8>) -> Bool {
        binary(beginning) != nil
            || FormatHints.unreadable(beginning) != nil && !FormatHints.isWideText(beginning)
    }

    private static func binary(_ beginning: Span<UInt8>) -> TrafficFormat? {
        if SnoozParser.isBeginning(beginning) { return .btsnooz }
        if beginning.has(BTSnoopFormat.magic) { return .btsnoop }
        if PcapFormat.Magic.find(in: beginning) != nil { return .pcap }
        if beginning.has("\n\r\r\n") { return .pcapng }
        if RingFrameParser.looksLike(beginning) { return .ringFrames }
        return PacketLoggerFormat.isBeginning(beginning) ? .packetLogger : nil
    }
}

private enum TextDetection {
    /// The format of a log in any encoding; `nil` if it is unknown or no text.
    static func log(_ beginning: Span<UInt8>) -> TrafficFormat? {
        let lines = TextLines.lines(of: beginning)
        // A capture in UTF-16, which is not read: the bytes of its packets are not those of a log.
        if lines.first?.starts(with: "halo-capture".utf8) == true { return nil }
        if BtmonTextParser.looksLike(lines) { return .btmonText }
        // The last line of a long beginning may have been cut.
        let isCut = beginning.count >= TrafficFormat.detectionLength && lines.count > 1
        let whole = lines.dropLast(isCut ? 1 : 0)
        let hexLines = HexLineParser.packetCount(in: whole)
        if let log = LogParser.detect(whole), log.count * 10 >= hexLines ?? 0 {
            return log.format
        }
        return hexLines == nil ? nil : .hexLines
    }

    /// `true` if the text is a capture of this package: it begins with a version, or has packets or
    /// events.
    static func isCapture(_ text: Span<UInt8>) -> Bool {
        let mark = text.has("\u{FEFF}") ? 3 : 0
        if text.has("halo-capture", at: mark) { return true }
        var end = text.count
        while end > 0, text[end - 1] != UInt8(ascii: "\n") { end -= 1 }
        var reader = CaptureReader()
        let lines = text.extracting(0..<end).withUnsafeBufferPointer { Array($0) }
        try? reader.read(lines)
        return reader.capture.lines.contains { line in
            switch line {
            case .packet, .event: true
            default: false
            }
        }
    }
}
