/// Reads a file of traffic of any format, in chunks that are cut anywhere.
struct TrafficParser: Sendable {
    /// The format, once it is known.
    private(set) var format: TrafficFormat?
    private var feeder = ChunkFeeder()
    private var parser = Parser.none
    /// What came before the format was known.
    private var beginning = ContiguousArray<UInt8>()

    private enum Parser: Sendable {
        case none
        case btsnoop(BTSnoopParser)
        case pcap(PcapParser)
        case pcapNG(PcapNGParser)
        case packetLogger(PacketLoggerParser)
        case btmonText(BtmonTextParser)
        case hexLines(HexLineParser)
        case ringFrames(RingFrameParser)
    }

    /// A parser of a format, or of whatever the file turns out to be.
    init(_ format: TrafficFormat? = nil) throws(TrafficError) {
        if let format { try begin(format) }
    }

    /// How much of the file was read: the record that is begun starts there.
    var offset: Int { feeder.offset }

    /// Reads the next chunk.
    mutating func feed(
        _ chunk: Span<UInt8>, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if format != nil { return try run(chunk, into: &sink) }
        let count = min(TrafficFormat.detectionLength - beginning.count, chunk.count)
        chunk.extracting(0..<count).withUnsafeBufferPointer { beginning.append(contentsOf: $0) }
        guard beginning.count >= TrafficFormat.detectionLength else { return }
        try detect(into: &sink)
        try run(chunk.extracting(count..<chunk.count), into: &sink)
    }

    /// Says that the file has ended.
    mutating func finish(into sink: inout some RecordSink) throws(TrafficError) {
        if format == nil { try detect(into: &sink) }
        switch parser {
        case .none: break
        case .btsnoop(var parser): try feeder.finish(&parser, into: &sink)
        case .pcap(var parser): try feeder.finish(&parser, into: &sink)
        case .pcapNG(var parser): try feeder.finish(&parser, into: &sink)
        case .packetLogger(var parser): try feeder.finish(&parser, into: &sink)
        case .btmonText(var parser): try feeder.finish(&parser, into: &sink)
        case .hexLines(var parser): try feeder.finish(&parser, into: &sink)
        case .ringFrames(var parser): try feeder.finish(&parser, into: &sink)
        }
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
        case .btsnoop: parser = .btsnoop(BTSnoopParser())
        case .pcap: parser = .pcap(PcapParser())
        case .pcapng: parser = .pcapNG(PcapNGParser())
        case .packetLogger: parser = .packetLogger(PacketLoggerParser())
        case .capture:
            throw TrafficError(
                .unknownContent, at: 0, hint: "this is a capture already; it needs no importing")
        case .btmonText: parser = .btmonText(BtmonTextParser())
        case .hexLines: parser = .hexLines(HexLineParser())
        case .ringFrames: parser = .ringFrames(RingFrameParser())
        default: throw Self.unread
        }
        self.format = format
    }

    private static let unread = TrafficError(
        .unknownContent, at: 0, hint: "this format is not read")

    private mutating func run(
        _ chunk: Span<UInt8>, into sink: inout some RecordSink
    ) throws(TrafficError) {
        let parser = parser
        self.parser = .none
        switch parser {
        case .none:
            break
        case .btsnoop(var parser):
            defer { self.parser = .btsnoop(parser) }
            try feeder.feed(chunk, to: &parser, into: &sink)
        case .pcap(var parser):
            defer { self.parser = .pcap(parser) }
            try feeder.feed(chunk, to: &parser, into: &sink)
        case .pcapNG(var parser):
            defer { self.parser = .pcapNG(parser) }
            try feeder.feed(chunk, to: &parser, into: &sink)
        case .packetLogger(var parser):
            defer { self.parser = .packetLogger(parser) }
            try feeder.feed(chunk, to: &parser, into: &sink)
        case .btmonText(var parser):
            defer { self.parser = .btmonText(parser) }
            try feeder.feed(chunk, to: &parser, into: &sink)
        case .hexLines(var parser):
            defer { self.parser = .hexLines(parser) }
            try feeder.feed(chunk, to: &parser, into: &sink)
        case .ringFrames(var parser):
            defer { self.parser = .ringFrames(parser) }
            try feeder.feed(chunk, to: &parser, into: &sink)
        }
    }
}
