internal import HaloProtocol
import HaloTransport

/// Explains the lines of a capture one after another: what each packet means, and what cannot be
/// decoded.
///
/// Frames of the big-data service that came in pieces are joined, and the last frame of a long
/// reply is explained together with those before it.
///
/// ```swift
/// var explainer = CaptureExplainer()
/// for line in capture.timedLines {
///     explainer.read(line)
///     while let part = explainer.next() { show(part) }
/// }
/// explainer.finish()
/// while let part = explainer.next() { show(part) }
/// ```
package struct CaptureExplainer: Sendable {
    private typealias Stream = CapturePacket.Stream

    private var records: [Stream: BigDataReassembler] = [:]
    private var replies = RecordedReplies(limit: maximumStreams)
    private var last: TimedLine?
    private var parts = Queue<ExplainedPart>()

    /// `true` once a packet could not be decoded.
    package private(set) var foundFault = false

    /// The maximum number of streams, and of commands, that are kept apart: a real capture has few
    /// connections. With one more, each open frame is a fault, and open replies have no reading.
    private static let maximumStreams = 64

    package init() {}

    /// Explains a line. Take its parts with ``next()``.
    package mutating func read(_ line: TimedLine) {
        last = line
        switch line.line {
        case .packet(let packet) where packet.channel == .bigData: readPiece(packet, line)
        case .packet(let packet):
            add(
                ExplainedPacket(
                    packet: packet,
                    meaning: packet.explanation.map { .explained($0) } ?? .unknownChannel,
                    reply: replies.receive(packet, link: packet.link)?.reading),
                line)
        case .event(let event, let link):
            if case .disconnected = event { abandon(link, line) }
            parts.append(ExplainedPart(line: line, content: .event(event, link: link)))
        case .comment(let text):
            parts.append(ExplainedPart(line: line, content: .comment(text)))
        case .version, .blank, .name, .elapsed, .reading, .error: break
        }
    }

    /// Ends the capture: each frame that is still incomplete is a fault.
    package mutating func finish() {
        if let last { abandonAll(last) }
    }

    package mutating func next() -> ExplainedPart? { parts.popFirst() }

    private mutating func add(_ packet: ExplainedPacket, _ line: TimedLine) {
        if !packet.isDecoded { foundFault = true }
        parts.append(ExplainedPart(line: line, content: .packet(packet)))
    }

    // MARK: Frames in pieces

    private mutating func readPiece(_ packet: CapturePacket, _ line: TimedLine) {
        let stream = packet.stream
        if records.count >= Self.maximumStreams, records[stream] == nil { makeRoom(line) }
        records[stream, default: BigDataReassembler()].receive(packet.bytes)
        var isComplete = false
        while let event = records[stream]?.nextEvent() {
            isComplete = true
            add(event, stream, line)
        }
        if !isComplete { parts.append(ExplainedPart(line: line, content: .piece(packet))) }
    }

    /// Forgets the streams without an open frame; if there are none, abandons all.
    private mutating func makeRoom(_ line: TimedLine) {
        records = records.filter { $0.value.pendingByteCount > 0 }
        if records.count >= Self.maximumStreams { abandonAll(line) }
    }

    private mutating func abandonAll(_ line: TimedLine) {
        let streams = records.keys.sorted { one, other in
            let (name, otherName) = (one.link?.text ?? "", other.link?.text ?? "")
            return name == otherName ? one.direction == .toDevice : name < otherName
        }
        for stream in streams { abandon(stream, line) }
    }

    private mutating func abandon(_ link: CaptureName?, _ line: TimedLine) {
        for direction in Direction.allCases {
            abandon(Stream(link: link, direction: direction), line)
        }
        replies.end(link)
    }

    private mutating func abandon(_ stream: Stream, _ line: TimedLine) {
        guard var reassembler = records.removeValue(forKey: stream) else { return }
        reassembler.abandon()
        while let event = reassembler.nextEvent() { add(event, stream, line) }
    }

    private mutating func add(
        _ event: BigDataReassembler.Event, _ stream: Stream, _ line: TimedLine
    ) {
        let (bytes, meaning): ([UInt8], ExplainedPacket.Meaning) =
            switch event {
            case .frame(let frame):
                (frame.bytes, .explained(Explanation(of: frame, direction: stream.direction)))
            case .uart(let frame):
                (
                    Array(frame.bytes),
                    .explained(Explanation(of: frame, direction: stream.direction))
                )
            case .fault(let fault): (fault.bytes, .fault(fault))
            }
        let packet = CapturePacket(
            unchecked: stream.direction, nil, link: stream.link, .bigData, bytes)
        add(ExplainedPacket(packet: packet, meaning: meaning, reply: nil), line)
    }
}
