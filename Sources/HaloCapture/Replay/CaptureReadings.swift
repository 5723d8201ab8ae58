public import HaloProtocol

/// The readings of all packets of a capture by the current decoders.
///
/// The pieces of a long frame are one packet, with the line of the last piece. The last frame of a
/// reply of many frames has the reading of the reply as well.
public struct CaptureReadings: Sendable {
    /// A joined reply of many frames, with the frames of splitting it again.
    package struct Joined: Sendable {
        /// The index of the reading of the last frame.
        package let last: Int
        /// The frames that were joined.
        package let frames: [Frame]
        /// The frames into which the reply splits.
        package let split: [Frame]
    }

    /// The packets in order.
    public private(set) var all: [CaptureReading] = []
    /// The complete replies of many frames.
    package private(set) var joined: [Joined] = []

    private let lines: [CaptureLine]

    /// Reads all packets of a capture.
    public init(_ capture: Capture) {
        lines = capture.lines
        var collector = ReadingCollector()
        for line in capture.timedLines { collector.receive(line) }
        all = collector.finish()
        var runs = FrameRuns()
        for (index, reading) in all.enumerated() { runs.add(reading.packet, index) }
        for run in runs.finish() { join(run) }
    }

    /// Returns the capture with these readings in place of its `=` and `!` lines.
    public func annotated() throws(CaptureError) -> Capture {
        var verdicts: [Int: CaptureReading.Verdict] = [:]
        for reading in all { verdicts[reading.line] = reading.verdict }
        var annotated = Capture()
        for (index, line) in lines.enumerated() {
            switch line {
            case .reading, .error: break
            default: try annotated.append(line)
            }
            for line in verdicts[index + 1]?.lines ?? [] { try annotated.append(line) }
        }
        return annotated
    }

    // MARK: Many frames

    private mutating func join(_ run: FrameRuns.Run) {
        guard let joiner = CommandCatalog.entry(opcode: run.opcode)?.joiner else { return }
        var replies = ReplyReader()
        for (place, frame) in run.frames.enumerated() {
            guard let reply = replies.receive(frame, joiner) else { continue }
            let last = run.indices[place]
            let frames = Array(run.frames[...place].suffix(reply.frames.count))
            joined.append(Joined(last: last, frames: frames, split: reply.frames))
            if case .reads(let readings) = all[last].verdict {
                all[last].verdict = .reads(readings + [reply.reading])
            }
        }
    }
}

/// The runs of a capture: frames of one command from a device, without a request of that command
/// between them.
struct FrameRuns {
    struct Run {
        let opcode: UInt8
        var frames: [Frame] = []
        /// The indices of the frames' packets.
        var indices: [Int] = []
    }

    private struct Key: Hashable {
        let link: CaptureName?
        let opcode: UInt8
    }

    private var open: [Key: Run] = [:]
    private var ended: [Run] = []

    mutating func add(_ packet: CaptureReading.WholePacket, _ index: Int) {
        guard packet.channel == .uart, let frame = try? Frame(decoding: packet.bytes),
            CommandCatalog.entry(opcode: frame.opcode)?.joiner != nil
        else { return }
        let key = Key(link: packet.link, opcode: frame.opcode)
        switch packet.direction {
        case .toDevice:
            if let run = open.removeValue(forKey: key) { ended.append(run) }
        case .fromDevice:
            open[key, default: Run(opcode: frame.opcode)].frames.append(frame)
            open[key]?.indices.append(index)
        }
    }

    mutating func finish() -> [Run] {
        ended += open.values
        open = [:]
        return ended.sorted { ($0.indices.first ?? 0) < ($1.indices.first ?? 0) }
    }
}

/// The reading of a packet of a capture: by the current decoders, and as stated in the file.
public struct CaptureReading: Hashable, Sendable {
    /// The result of decoding a packet: the `=` lines or the `!` line behind it.
    public enum Verdict: Hashable, Sendable {
        /// The reading of the packet, followed by the reading of the reply that the packet
        /// completes, if there is one.
        case reads([String])
        /// The reason why the packet cannot be decoded.
        case fails(String)

        /// The lines in the form of a capture.
        package var lines: [CaptureLine] {
            switch self {
            case .reads(let readings): readings.map { .reading(CaptureText($0)) }
            case .fails(let error): [.error(CaptureText(error))]
            }
        }
    }

    /// The number of the line of the packet, or of its last piece, counted from 1.
    public let line: Int
    /// The time of that line.
    public let moment: Moment
    /// The packet, with the pieces of a long frame joined.
    public let packet: WholePacket
    /// The status of decoding.
    public let status: Explanation.Status
    /// The result of the decoders; without readings for the value of an unknown characteristic.
    public internal(set) var verdict: Verdict
    /// The result stated in the file; `nil` if there is none.
    public internal(set) var stated: Verdict?
    /// The bytes of encoding the decoded value, if they differ; otherwise `nil`.
    public let reencoded: [UInt8]?
    /// The tags of the comments before the packet.
    public let tags: [String: String]

    /// A packet that may consist of pieces, and so be longer than ``CapturePacket/maximumLength``.
    public struct WholePacket: Hashable, Sendable {
        /// The direction of the transfer.
        public let direction: Direction
        /// The name of the connection; `nil` if it has none.
        public let link: CaptureName?
        /// The channel of the packet.
        public let channel: CaptureChannel
        /// All bytes of the packet.
        public let bytes: [UInt8]
    }

    /// The declared exception of the packet; `nil` if there is none.
    public var exception: String? { tags["exception"] }
}

/// A decoder of the packets of a capture, one after another, which joins the pieces of long frames.
struct ReadingCollector {
    /// One direction of one connection.
    private struct Stream: Hashable {
        let link: CaptureName?
        let direction: Direction
    }

    /// The beginning of a record.
    private struct Piece {
        let line: TimedLine
        var bytes: [UInt8]
        let tags: [String: String]
    }

    private var all: [CaptureReading] = []
    private var tags: [String: String] = [:]
    private var pieces: [Stream: Piece] = [:]
    /// `true` if further readings belong to the last packet of ``all``.
    private var isFollowing = false

    /// The tags that apply to one packet.
    private static let tagsOfPackets: Set = ["means", "note", "exception"]

    mutating func receive(_ line: TimedLine) {
        switch line.line {
        case .comment(let text):
            if let tag = text.tag, Self.tagsOfPackets.contains(tag) { tags[tag] = text.tagged }
        case .packet(let packet): receive(packet, line)
        case .reading(let text): state(.reads([text.text]))
        case .error(let text): state(.fails(text.text))
        case .version, .blank, .name, .event, .elapsed: break
        }
    }

    private mutating func state(_ verdict: CaptureReading.Verdict) {
        guard isFollowing, let last = all.indices.last else { return }
        if case .reads(var readings)? = all[last].stated, case .reads(let more) = verdict {
            // Without a copy of the readings for each line: their number has no limit.
            all[last].stated = nil
            readings += more
            all[last].stated = .reads(readings)
        } else {
            all[last].stated = verdict
        }
    }

    private mutating func receive(_ packet: CapturePacket, _ line: TimedLine) {
        defer { tags = [:] }
        isFollowing = false
        let stream = Stream(link: packet.link, direction: packet.direction)
        guard packet.channel == .bigData else {
            return read(packet.bytes, of: packet, line, tags)
        }
        if var begun = pieces.removeValue(forKey: stream) {
            if (try? BigDataFrame(decoding: packet.bytes)) == nil {
                begun.bytes += packet.bytes
                return join(begun.bytes, of: packet, stream, line, begun.tags)
            }
            // The rest of the previous record is missing.
            giveUp(begun)
        }
        join(packet.bytes, of: packet, stream, line, tags)
    }

    private mutating func join(
        _ bytes: [UInt8], of packet: CapturePacket, _ stream: Stream, _ line: TimedLine,
        _ tags: [String: String]
    ) {
        if Self.isUnfinished(bytes) {
            pieces[stream] = Piece(line: line, bytes: bytes, tags: tags)
        } else {
            read(bytes, of: packet, line, tags)
        }
    }

    private static func isUnfinished(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == BigDataFrame.marker else { return bytes.isEmpty }
        return bytes.count < BigDataFrame.announcedLength(of: bytes) ?? .max
    }

    private mutating func giveUp(_ piece: Piece) {
        guard let packet = piece.line.line.packet else { return }
        read(piece.bytes, of: packet, piece.line, piece.tags)
    }

    private mutating func read(
        _ bytes: [UInt8], of packet: CapturePacket, _ line: TimedLine, _ tags: [String: String]
    ) {
        let explanation = packet.channel.packetKind.map {
            Explanation(of: bytes, as: $0, direction: packet.direction)
        }
        let reencoded = explanation?.reencoded ?? bytes
        all.append(
            CaptureReading(
                line: line.number, moment: line.moment,
                packet: CaptureReading.WholePacket(
                    direction: packet.direction, link: packet.link, channel: packet.channel,
                    bytes: bytes),
                status: explanation?.status ?? .unknown,
                verdict: explanation?.problem.map { .fails($0) }
                    ?? .reads(explanation.map { [$0.reading] } ?? []),
                stated: nil, reencoded: reencoded == bytes ? nil : reencoded, tags: tags))
        isFollowing = true
    }

    mutating func finish() -> [CaptureReading] {
        for piece in pieces.values.sorted(by: { $0.line.number < $1.line.number }) {
            giveUp(piece)
        }
        pieces = [:]
        return all.sorted { $0.line < $1.line }
    }
}
