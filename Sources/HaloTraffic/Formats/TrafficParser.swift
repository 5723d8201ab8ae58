import HaloCapture

/// Reads a file of traffic of any format, in chunks of any size.
struct TrafficParser: Sendable {
    /// The format, or `nil` until it is known.
    private(set) var format: TrafficFormat?
    private var feeder = ChunkFeeder()
    private var parser = Parser.none
    /// The bytes received before the format was known.
    private var beginning = ContiguousArray<UInt8>()
    private let names: LogNames

    private enum Parser: Sendable {
        case none
        case btsnoop(RecordFileParser<BTSnoopFormat>)
        case pcap(RecordFileParser<PcapFormat>)
        case pcapNG(PcapNGParser)
        case packetLogger(RecordFileParser<PacketLoggerFormat>)
        case btmonText(BtmonTextParser)
        case log(LogParser)
        case hexLines(HexLineParser)
        case ringFrames(RingFrameParser)
    }

    /// Creates a parser of a format, or, for `nil`, of the detected one.
    init(
        _ format: TrafficFormat? = nil, _ names: LogNames = LogNames()
    ) throws(TrafficError) {
        self.names = names
        if let format { try begin(format) }
    }

    /// The file offset of the next record.
    var offset: Int { feeder.offset }

    /// Reads the next chunk.
    mutating func feed(
        _ chunk: Span<UInt8>, into sink: inout some RecordSink
    ) throws(TrafficError) {
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

    /// Ends the file.
    mutating func finish(into sink: inout some RecordSink) throws(TrafficError) {
        if format == nil { try detect(into: &sink) }
        try run(Span(), isLast: true, into: &sink)
    }

    private mutating func detect(into sink: inout some RecordSink) throws(TrafficError) {
        guard let format = TrafficFormat.detect(beginning.span) else {
            throw FormatHints.error(beginning.span)
        }
        try begin(format)
        let bytes = beginning
        beginning = []
        try run(bytes.span, into: &sink)
    }

    private mutating func begin(_ format: TrafficFormat) throws(TrafficError) {
        switch format {
        case .btsnoop: parser = .btsnoop(RecordFileParser())
        case .pcap: parser = .pcap(RecordFileParser())
        case .pcapng: parser = .pcapNG(PcapNGParser())
        case .packetLogger: parser = .packetLogger(RecordFileParser())
        case .capture:
            throw TrafficError(
                .unknownContent, at: 0, hint: "this is a capture already; it needs no importing")
        case .btmonText: parser = .btmonText(BtmonTextParser())
        case .hexLines: parser = .hexLines(HexLineParser(names))
        case .ringFrames: parser = .ringFrames(RingFrameParser())
        default:
            guard let log = LogParser(format, names) else {
                throw TrafficError(.unknownContent, at: 0, hint: "this format is not read")
            }
            parser = .log(log)
        }
        self.format = format
    }

    private mutating func run(
        _ chunk: Span<UInt8>, isLast: Bool = false, into sink: inout some RecordSink
    ) throws(TrafficError) {
        let parser = parser
        self.parser = .none
        switch parser {
        case .none:
            break
        case .btsnoop(var parser):
            defer { self.parser = .btsnoop(parser) }
            try feeder.feed(chunk, isLast: isLast, to: &parser, into: &sink)
        case .pcap(var parser):
            defer { self.parser = .pcap(parser) }
            try feeder.feed(chunk, isLast: isLast, to: &parser, into: &sink)
        case .pcapNG(var parser):
            defer { self.parser = .pcapNG(parser) }
            try feeder.feed(chunk, isLast: isLast, to: &parser, into: &sink)
        case .packetLogger(var parser):
            defer { self.parser = .packetLogger(parser) }
            try feeder.feed(chunk, isLast: isLast, to: &parser, into: &sink)
        case .btmonText(var parser):
            defer { self.parser = .btmonText(parser) }
            try feeder.feed(chunk, isLast: isLast, to: &parser, into: &sink)
        case .log(var parser):
            defer { self.parser = .log(parser) }
            try feeder.feed(chunk, isLast: isLast, to: &parser, into: &sink)
        case .hexLines(var parser):
            defer { self.parser = .hexLines(parser) }
            try feeder.feed(chunk, isLast: isLast, to: &parser, into: &sink)
        case .ringFrames(var parser):
            defer { self.parser = .ringFrames(parser) }
            try feeder.feed(chunk, isLast: isLast, to: &parser, into: &sink)
        }
    }
}

extension TrafficFormat {
    /// Detects the format of a file; `nil` if it is unknown.
    ///
    /// - Parameter beginning: The first ``detectionLength`` bytes, or all if there are fewer.
    public static func detect(_ beginning: Span<UInt8>) -> TrafficFormat? {
        if let format = binary(beginning) { return format }
        if FormatHints.isWideText(beginning), let log = TextDetection.log(beginning) { return log }
        if FormatHints.unreadable(beginning) != nil { return nil }
        return TextDetection.format(of: beginning)
    }

    /// `true` if the first bytes of a file decide that it is no text.
    static func isBinary(_ beginning: Span<UInt8>) -> Bool {
        binary(beginning) != nil
            || FormatHints.unreadable(beginning) != nil && !FormatHints.isWideText(beginning)
    }

    private static func binary(_ beginning: Span<UInt8>) -> TrafficFormat? {
        if beginning.has(BTSnoopFormat.magic) { return .btsnoop }
        if PcapFormat.Magic.find(in: beginning) != nil { return .pcap }
        if beginning.has("\n\r\r\n") { return .pcapng }
        if RingFrameParser.looksLike(beginning) { return .ringFrames }
        return PacketLoggerFormat.isBeginning(beginning) ? .packetLogger : nil
    }
}

/// Detects the formats that are text.
private enum TextDetection {
    /// The format of a text; `nil` if it is unknown or no text.
    static func format(of beginning: Span<UInt8>) -> TrafficFormat? {
        isCapture(beginning) ? .capture : log(beginning)
    }

    /// The format of a log in any encoding.
    static func log(_ beginning: Span<UInt8>) -> TrafficFormat? {
        if BtmonTextParser.looksLike(beginning) { return .btmonText }
        let hexLines = HexLineParser.packetCount(in: beginning)
        if let log = LogParser.detect(beginning), log.count * 10 >= hexLines ?? 0 {
            return log.format
        }
        return hexLines == nil ? nil : .hexLines
    }

    /// `true` if the text is a capture of this package: it begins with a version, or has packets or
    /// events.
    private static func isCapture(_ text: Span<UInt8>) -> Bool {
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

/// Recognises files that cannot be read, and gives hints to their users.
enum FormatHints {
    private static let unpack =
        "this is compressed; the log has to be unpacked first"
    private static let bugReport =
        "this is a bug report of Android; in its archive the log is "
        + "FS/data/misc/bluetooth/logs/btsnoop_hci.log"

    /// The error for a file in no known format.
    static func error(_ beginning: Span<UInt8>) -> TrafficError {
        if beginning.isEmpty { return TrafficError(.empty, at: 0) }
        return unreadable(beginning)
            ?? TrafficError(
                .unknownFormat, at: 0,
                hint: "if you know the format, name it with --format; a line of a log has a "
                    + "direction, and bytes in hexadecimal")
    }

    /// The error for a file that is certainly not of a known format; `nil` for any other.
    static func unreadable(_ beginning: Span<UInt8>) -> TrafficError? {
        if beginning.has("PK") {
            return TrafficError(
                .unknownFormat, at: 0,
                hint: "this is a ZIP archive; of a bug report, unpack "
                    + "FS/data/misc/bluetooth/logs/btsnoop_hci.log")
        }
        if isCompressed(beginning) {
            return TrafficError(.unknownFormat, at: 0, hint: unpack)
        }
        if isWideText(beginning) {
            return TrafficError(
                .wrongEncoding, at: 0, hint: "this is UTF-16 or UTF-32; it has to be UTF-8")
        }
        if find("BEGIN:BTSNOOP_LOG_SUMMARY", in: beginning) || find("== dumpstate: ", in: beginning)
        {
            return TrafficError(.unknownFormat, at: 0, hint: bugReport)
        }
        return nil
    }

    /// `true` if the bytes begin like gzip, bzip2, xz, zstd or 7z.
    private static func isCompressed(_ bytes: Span<UInt8>) -> Bool {
        let beginnings: [[UInt8]] = [
            [0x1F, 0x8B, 0x08], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
            [0x28, 0xB5, 0x2F, 0xFD], [0x37, 0x7A, 0xBC, 0xAF],
        ]
        return beginnings.contains { beginning in
            guard bytes.count >= beginning.count else { return false }
            return beginning.indices.allSatisfy { bytes[$0] == beginning[$0] }
        }
    }

    /// `true` if the bytes are text in UTF-16 or UTF-32: they begin with its byte order mark, or
    /// every second byte of letters is zero.
    static func isWideText(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        let mark = bytes.uint16(at: 0, .big)
        if mark == 0xFEFF || mark == 0xFFFE { return true }
        let count = min(bytes.count, 64) & ~1
        for zero in 0...1 {
            var isText = true
            for index in 0..<count {
                let byte = bytes[index]
                let isLetter = byte >= 0x20 && byte < 0x7F || (0x09...0x0D).contains(byte)
                if index & 1 == zero ? byte != 0 : !isLetter { isText = false }
            }
            if isText { return true }
        }
        return false
    }

    private static func find(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
        for offset in 0..<bytes.count where bytes.has(text, at: offset) { return true }
        return false
    }
}
