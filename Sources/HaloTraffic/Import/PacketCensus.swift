public import HaloCapture
public import HaloProtocol

/// How many packets of which kind a conversation has, and what cannot be read.
public struct PacketCensus: Hashable, Sendable {
    /// One kind of packet, going one way.
    public struct Entry: Hashable, Sendable {
        /// The channel that it goes over.
        public let channel: CaptureChannel
        /// Which way it goes.
        public let direction: Direction
        /// The type, as programs write it; nothing where nobody has described one.
        public let packet: PacketName?
        /// The first byte of a frame, or the id of a record, where the channel has those.
        public let code: UInt8?
        /// How many there are, the faulty ones included.
        public internal(set) var count = 0
        /// How many of them cannot be read.
        public internal(set) var faultCount = 0
        /// The first of those.
        public internal(set) var firstFault: Fault?
    }

    /// Why a packet cannot be read.
    public struct Fault: Hashable, Sendable {
        /// The record that it came in, counted from 1.
        public let record: Int
        /// Where in the file that record begins, in bytes.
        public let offset: Int
        /// Why it cannot be read, in words.
        public let reason: String
    }

    /// Every kind that there is, the most frequent first.
    public internal(set) var entries: [Entry] = []
    /// How many records of the file were read.
    public internal(set) var recordCount = 0

    init() {}

    /// How many packets there are.
    public var count: Int { entries.reduce(0) { $0 + $1.count } }
    /// How many of them cannot be read.
    public var faultCount: Int { entries.reduce(0) { $0 + $1.faultCount } }
}

extension PacketCensus {
    /// Decodes the packets of a capture and counts them; a record is a line of its text.
    public init(of capture: Capture) {
        var links: [CaptureName?: Int] = [:]
        for case .packet(let packet) in capture.lines where links[packet.link] == nil {
            links[packet.link] = links.count
        }
        var sink = CensusSink(linkCount: links.count)
        for line in capture.timedLines {
            guard let packet = line.line.packet, let link = links[packet.link]
            else { continue }
            let place = RecordPlace(
                number: line.number, offset: 0, microseconds: line.moment.microseconds)
            packet.bytes.withUnsafeBufferPointer {
                sink.take(
                    .value(packet.direction, packet.channel, packet.action), $0.span, on: link,
                    at: place)
            }
        }
        sink.finish()
        self.init()
        entries = sink.tallies.entries
        recordCount = capture.lines.count
    }
}

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
