import HaloProtocol

/// What stands for one line of a capture.
struct ScrubbedPiece: Sendable {
    var bytes: [UInt8]
    /// What was replaced in the packet that ends here.
    var replaced: [ScrubKind: Int] = [:]
    /// What was wrong with the packet that ends here.
    var problem: String?
    /// The packet that ends here, as it is now; nothing where none does.
    var whole: ScrubPacket?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(_ packet: ScrubPacket, _ outcome: PacketScrubber.Outcome) {
        bytes = outcome.bytes
        replaced = outcome.replaced
        problem = outcome.problem
        whole = ScrubPacket(
            direction: packet.direction, channel: packet.channel, bytes: outcome.bytes)
    }
}

/// A stream of big-data pieces, scrubbed frame by frame and cut where it was cut.
struct ScrubbedStream: Sendable {
    private let old: BigDataStream
    private let direction: Direction
    private let items: [BigDataStream.Item]
    private var pieces: [ScrubbedPiece] = []
    private var index = 0

    init(_ stream: BigDataStream, _ direction: Direction) {
        old = stream
        items = stream.items()
        self.direction = direction
    }

    /// What the stream consists of.
    var packets: [ScrubPacket] { items.map(packet) }

    private func packet(_ item: BigDataStream.Item) -> ScrubPacket {
        let bytes = item.runs.flatMap { old.bytes[$0] }
        // Some firmware is said to send frames of the other service here.
        let isFrame = bytes.count == Frame.length && (try? Frame(decoding: bytes)) != nil
        return ScrubPacket(
            direction: direction, channel: isFrame ? .uart : .bigData, bytes: bytes)
    }

    mutating func scrub(_ packets: inout PacketScrubber) {
        var bytes = old.bytes
        var endings: [Int: ScrubbedPiece] = [:]
        for item in items {
            let packet = packet(item)
            let outcome = packets.scrub(packet)
            var rest = outcome.bytes[...]
            for run in item.runs {
                bytes.replaceSubrange(run, with: rest.prefix(run.count))
                rest = rest.dropFirst(run.count)
            }
            guard let last = item.runs.last, !last.isEmpty else { continue }
            var ending = ScrubbedPiece(packet, outcome)
            let piece = old.piece(of: last.upperBound - 1)
            if let other = endings[piece] {
                ending.replaced.merge(other.replaced, uniquingKeysWith: +)
                ending.problem = ending.problem ?? other.problem
            }
            endings[piece] = ending
        }
        pieces = old.ends.indices.map { index in
            var piece = endings[index] ?? ScrubbedPiece([])
            piece.bytes = Array(bytes[old.range(ofPiece: index)])
            return piece
        }
    }

    /// What stands for the next piece, if that is the one that was learnt.
    mutating func next(_ bytes: [UInt8]) -> ScrubbedPiece? {
        guard index < pieces.count, old.bytes[old.range(ofPiece: index)].elementsEqual(bytes) else {
            return nil
        }
        defer { index += 1 }
        return pieces[index]
    }
}
