import HaloProtocol

/// A stream of big-data pieces that is scrubbed frame by frame, without a change of the cuts.
struct ScrubbedStream: Sendable {
    private let old: BigDataStream
    private let direction: Direction
    private let items: [BigDataStream.Item]
    /// The new bytes of all pieces.
    private var bytes: [UInt8]
    /// The last packet that ends in each piece, and the outcome of all that end in it, without
    /// their bytes.
    private var endings: [(item: Int, outcome: PacketScrubber.Outcome)?]
    private var index = 0

    init(_ stream: BigDataStream, _ direction: Direction) {
        old = stream
        items = stream.items()
        bytes = stream.bytes
        endings = Array(repeating: nil, count: stream.ends.count)
        self.direction = direction
    }

    func forEachPacket(_ body: (CapturePacket) -> Void) {
        for item in items { body(packet(item, of: old.bytes)) }
    }

    private func packet(_ item: BigDataStream.Item, of bytes: [UInt8]) -> CapturePacket {
        let whole = item.runs.flatMap { bytes[$0] }
        return CapturePacket(unchecked: direction, nil, channel(item), whole)
    }

    /// Some firmware is reported to send frames of the other service on this channel.
    private func channel(_ item: BigDataStream.Item) -> CaptureChannel {
        guard item.isLoose, let run = item.runs.first else { return .bigData }
        return (try? Frame(decoding: old.bytes[run])) == nil ? .bigData : .uart
    }

    mutating func scrub(_ packets: inout PacketScrubber) {
        for (number, item) in items.enumerated() {
            var outcome = packets.scrub(packet(item, of: old.bytes))
            var rest = outcome.bytes[...]
            for run in item.runs {
                bytes.replaceSubrange(run, with: rest.prefix(run.count))
                rest = rest.dropFirst(run.count)
            }
            guard let last = item.runs.last else { continue }
            outcome.bytes = []
            let piece = old.piece(of: last.upperBound - 1)
            if let other = endings[piece]?.outcome {
                outcome.replaced.merge(other.replaced, uniquingKeysWith: +)
                outcome.problem = outcome.problem ?? other.problem
            }
            endings[piece] = (number, outcome)
        }
    }

    /// Returns the substitute for the next piece, and the new packet that ends with it, if there is
    /// one; `nil` if the piece is not the one of the first pass.
    mutating func next(
        _ bytes: [UInt8]
    ) -> (outcome: PacketScrubber.Outcome, whole: CapturePacket?)? {
        guard index < old.ends.count, old.bytes[old.range(ofPiece: index)].elementsEqual(bytes)
        else { return nil }
        defer { index += 1 }
        let new = Array(self.bytes[old.range(ofPiece: index)])
        guard var ending = endings[index] else {
            return (PacketScrubber.Outcome(bytes: new), nil)
        }
        ending.outcome.bytes = new
        return (ending.outcome, packet(items[ending.item], of: self.bytes))
    }
}
