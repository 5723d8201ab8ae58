import HaloProtocol
import HaloTransport

/// The readings of all packets of a capture by the current decoders.
///
/// The pieces of a long frame are one packet, with the line of the last piece. The last frame of a
/// reply of many frames has the reading of the reply as well.
package struct CaptureReadings: Sendable {
    package private(set) var all: [CaptureReading] = []

    private let lines: [CaptureLine]

    package init(_ capture: Capture) {
        lines = capture.lines
        Self.forEach(of: capture) { all.append($0) }
        all.sort { $0.line < $1.line }
    }

    /// Calls `body` with the reading of each packet. The packets of records that are cut off come
    /// later than those behind them.
    static func forEach(of capture: Capture, _ body: (CaptureReading) -> Void) {
        var collector = ReadingCollector()
        for line in capture.timedLines {
            collector.receive(line)
            while let reading = collector.next() { body(reading) }
        }
        collector.finish()
        while let reading = collector.next() { body(reading) }
    }

    /// Returns the capture with these readings in place of its `=` and `!` lines.
    package func annotated() throws(CaptureError) -> Capture {
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
}

/// A decoder of the packets of a capture, one after another, which joins the pieces of long frames.
private struct ReadingCollector {
    /// The beginning of a record.
    private typealias Piece = (line: TimedLine, bytes: [UInt8], exception: String?)

    /// The readings that are complete, and not removed yet.
    private var done = Queue<CaptureReading>()
    /// The last packet, if further lines may belong to it.
    private var last: CaptureReading?
    private var replies = RecordedReplies()
    private var exception: String?
    private var pieces: [CapturePacket.Stream: Piece] = [:]

    mutating func receive(_ line: TimedLine) {
        switch line.line {
        case .comment(let text):
            if text.tag == "exception" { exception = text.tagged }
        case .packet(let packet): receive(packet, line)
        case .reading(let text): state(.reads([text.text]))
        case .error(let text): state(.fails(text.text))
        case .version, .blank, .name, .event, .elapsed: break
        }
    }

    mutating func next() -> CaptureReading? { done.popFirst() }

    private mutating func state(_ verdict: CaptureReading.Verdict) {
        if case .reads(var readings)? = last?.stated, case .reads(let more) = verdict {
            // Without a copy of the readings for each line.
            last?.stated = nil
            readings += more
            last?.stated = .reads(readings)
        } else {
            last?.stated = verdict
        }
    }

    private mutating func endLast() {
        if let reading = last { done.append(reading) }
        last = nil
    }

    private mutating func receive(_ packet: CapturePacket, _ line: TimedLine) {
        defer { exception = nil }
        endLast()
        guard packet.channel == .bigData else {
            return read(packet.bytes, of: packet, line, exception)
        }
        if var begun = pieces.removeValue(forKey: packet.stream) {
            if (try? BigDataFrame(decoding: packet.bytes)) == nil {
                begun.bytes += packet.bytes
                return join(begun.bytes, of: packet, line, begun.exception)
            }
            // The rest of the previous record is missing.
            giveUp(begun)
        }
        join(packet.bytes, of: packet, line, exception)
    }

    private mutating func join(
        _ bytes: [UInt8], of packet: CapturePacket, _ line: TimedLine, _ exception: String?
    ) {
        if Self.isUnfinished(bytes) {
            pieces[packet.stream] = (line, bytes, exception)
        } else {
            read(bytes, of: packet, line, exception)
        }
    }

    private static func isUnfinished(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == BigDataFrame.marker else { return bytes.isEmpty }
        return bytes.count < BigDataFrame.announcedLength(of: bytes) ?? .max
    }

    private mutating func giveUp(_ piece: Piece) {
        guard let packet = piece.line.line.packet else { return }
        read(piece.bytes, of: packet, piece.line, piece.exception)
    }

    private mutating func read(
        _ bytes: [UInt8], of packet: CapturePacket, _ line: TimedLine, _ exception: String?
    ) {
        let packet = CapturePacket(
            unchecked: packet.direction, nil, link: packet.link, packet.channel, bytes)
        let explanation = packet.explanation
        let reencoded = explanation?.reencoded ?? bytes
        var reading = CaptureReading(
            line: line.number, moment: line.moment, packet: packet,
            status: explanation?.status ?? .unknown,
            verdict: explanation?.problem.map { .fails($0) }
                ?? .reads(explanation.map { [$0.reading] } ?? []),
            stated: nil, reencoded: reencoded == bytes ? nil : reencoded, exception: exception)
        if let reply = replies.receive(packet, link: packet.link) {
            reading.joined = CaptureReading.JoinedFrames(
                frames: reply.joined, split: reply.encoded)
            if case .reads(let readings) = reading.verdict {
                reading.verdict = .reads(readings + [reply.reading])
            }
        }
        endLast()
        last = reading
    }

    /// Ends the capture: records that are not complete are readings as well.
    mutating func finish() {
        for piece in pieces.values.sorted(by: { $0.line.number < $1.line.number }) {
            giveUp(piece)
        }
        endLast()
    }
}
