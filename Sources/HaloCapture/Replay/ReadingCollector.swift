import HaloProtocol

/// Reads the packets of a capture one after another, and joins what was cut into pieces.
struct ReadingCollector {
    /// Which way, on which connection.
    private struct Lane: Hashable {
        let link: CaptureName?
        let direction: Direction
    }

    /// A record of which pieces are still to come.
    private struct Piece {
        let line: TimedLine
        var bytes: [UInt8]
        let tags: [String: String]
    }

    private var all: [CaptureReading] = []
    private var tags: [String: String] = [:]
    private var pieces: [Lane: Piece] = [:]
    /// Whether readings that follow belong to the last one of ``all``.
    private var isFollowing = false

    /// The tags that hold for one packet.
    private static let tagsOfPackets: Set = ["means", "note", "exception"]

    mutating func take(_ line: TimedLine) {
        switch line.line {
        case .comment(let text):
            if let tag = text.tag, Self.tagsOfPackets.contains(tag) { tags[tag] = text.tagged }
        case .packet(let packet): take(packet, line)
        case .reading(let text): state(.reads([text.text]))
        case .error(let text): state(.fails(text.text))
        case .version, .blank, .name, .event, .elapsed: break
        }
    }

    private mutating func state(_ verdict: CaptureReading.Verdict) {
        guard isFollowing, let last = all.indices.last else { return }
        if case .reads(var readings)? = all[last].stated, case .reads(let more) = verdict {
            // There may be any number of them: they are not copied for each.
            all[last].stated = nil
            readings += more
            all[last].stated = .reads(readings)
        } else {
            all[last].stated = verdict
        }
    }

    private mutating func take(_ packet: CapturePacket, _ line: TimedLine) {
        defer { tags = [:] }
        isFollowing = false
        let lane = Lane(link: packet.link, direction: packet.direction)
        guard packet.channel == .bigData else {
            return read(packet.bytes, of: packet, line, tags)
        }
        if var begun = pieces.removeValue(forKey: lane) {
            if (try? BigDataFrame(decoding: packet.bytes)) == nil {
                begun.bytes += packet.bytes
                return take(begun.bytes, of: packet, lane, line, begun.tags)
            }
            // The rest of the record before it did not come.
            giveUp(begun)
        }
        take(packet.bytes, of: packet, lane, line, tags)
    }

    private mutating func take(
        _ bytes: [UInt8], of packet: CapturePacket, _ lane: Lane, _ line: TimedLine,
        _ tags: [String: String]
    ) {
        if Self.isUnfinished(bytes) {
            pieces[lane] = Piece(line: line, bytes: bytes, tags: tags)
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
