import HaloProtocol

/// The pieces that one side of a connection has sent on the big-data channel.
///
/// A live reassembler must decide when bytes arrive. This stream has all bytes, so it can search: a
/// frame is one run, or is interrupted by whole frames that begin with a piece. Other bytes are
/// loose.
struct BigDataStream: Sendable {
    /// A frame, or bytes outside of frames.
    enum Item: Hashable, Sendable {
        /// A frame with a right checksum, as ranges of its bytes.
        case frame([Range<Int>])
        /// Bytes of one piece that are not in a frame.
        case loose(Range<Int>)

        var runs: [Range<Int>] {
            switch self {
            case .frame(let runs): runs
            case .loose(let run): [run]
            }
        }
    }

    private(set) var bytes: [UInt8] = []
    /// The end of each piece, as an index of ``bytes``.
    private(set) var ends: [Int] = []

    mutating func append(_ piece: [UInt8]) {
        bytes += piece
        ends.append(bytes.count)
    }

    /// Returns the range of a piece in ``bytes``.
    func range(ofPiece index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    /// Returns the index of the piece that contains a byte.
    func piece(of index: Int) -> Int {
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if index < ends[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the items of the stream, which contain every byte once. The time is linear in the
    /// length.
    func items() -> [Item] {
        var items: [Item] = []
        // The limit of bytes for checksums: wrong lengths would otherwise make the time quadratic.
        var budget = 64 * bytes.count + (1 << 20)
        var start = 0
        while start < bytes.count {
            if let run = run(at: start, &budget) {
                items.append(.frame([run]))
                start = run.upperBound
            } else if let (runs, inner, end) = interrupted(at: start, &budget) {
                items += inner.map { .frame([$0]) }
                items.append(.frame(runs))
                start = end
            } else {
                let end = ends[piece(of: start)]
                items.append(.loose(start..<end))
                start = end
            }
        }
        return items
    }

    private func run(at start: Int, _ budget: inout Int) -> Range<Int>? {
        guard let length = BigDataFrame.announcedLength(of: bytes[start...]),
            bytes.count - start >= length, budget >= length
        else {
            return nil
        }
        budget -= length
        let range = start..<(start + length)
        return (try? BigDataFrame(decoding: bytes[range])) == nil ? nil : range
    }

    private func interrupted(
        at first: Int, _ budget: inout Int
    ) -> (runs: [Range<Int>], inner: [Range<Int>], end: Int)? {
        guard var missing = BigDataFrame.announcedLength(of: bytes[first...]) else { return nil }
        var runs: [Range<Int>] = []
        var inner: [Range<Int>] = []
        var start = first
        while missing > 0, start < bytes.count {
            if start > first, let other = run(at: start, &budget),
                ends[piece(of: other.upperBound - 1)] == other.upperBound
            {
                inner.append(other)
                start = other.upperBound
                continue
            }
            let end = min(ends[piece(of: start)], start + missing)
            guard budget >= end - start else { return nil }
            budget -= end - start
            runs.append(start..<end)
            missing -= end - start
            start = end
        }
        guard missing == 0, !inner.isEmpty else { return nil }
        let whole = runs.flatMap { bytes[$0] }
        return (try? BigDataFrame(decoding: whole)) == nil ? nil : (runs, inner, start)
    }
}

/// The substitute for one packet line of a capture.
struct ScrubbedPiece: Sendable {
    var bytes: [UInt8]
    /// The number of replacements in the packet that ends with this piece.
    var replaced: [ScrubKind: Int] = [:]
    /// The reason why all bytes of the packet that ends with this piece were replaced; otherwise
    /// `nil`.
    var problem: String?
    /// The new packet that ends with this piece; `nil` if there is none.
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

/// A stream of big-data pieces that is scrubbed frame by frame, without a change of the cuts.
struct ScrubbedStream: Sendable {
    /// The end of a packet within a piece.
    private struct Ending: Sendable {
        /// The index of the last packet that ends in the piece.
        let item: Int
        var replaced: [ScrubKind: Int]
        var problem: String?
    }

    private let old: BigDataStream
    private let direction: Direction
    private let items: [BigDataStream.Item]
    /// The new bytes of all pieces.
    private var bytes: [UInt8]
    /// The ends of packets, by their pieces.
    private var endings: [Int: Ending] = [:]
    private var index = 0

    init(_ stream: BigDataStream, _ direction: Direction) {
        old = stream
        items = stream.items()
        bytes = stream.bytes
        self.direction = direction
    }

    /// Calls `body` with each packet of the stream.
    func forEachPacket(_ body: (ScrubPacket) -> Void) {
        for item in items { body(packet(item, of: old.bytes)) }
    }

    private func packet(_ item: BigDataStream.Item, of bytes: [UInt8]) -> ScrubPacket {
        let whole = item.runs.flatMap { bytes[$0] }
        return ScrubPacket(direction: direction, channel: channel(item), bytes: whole)
    }

    /// Some firmware is reported to send frames of the other service on this channel.
    private func channel(_ item: BigDataStream.Item) -> CaptureChannel {
        let bytes = item.runs.flatMap { old.bytes[$0] }
        let isFrame = bytes.count == Frame.length && (try? Frame(decoding: bytes)) != nil
        return isFrame ? .uart : .bigData
    }

    mutating func scrub(_ packets: inout PacketScrubber) {
        for (number, item) in items.enumerated() {
            let outcome = packets.scrub(packet(item, of: old.bytes))
            var rest = outcome.bytes[...]
            for run in item.runs {
                bytes.replaceSubrange(run, with: rest.prefix(run.count))
                rest = rest.dropFirst(run.count)
            }
            guard let last = item.runs.last, !last.isEmpty else { continue }
            var ending = Ending(item: number, replaced: outcome.replaced, problem: outcome.problem)
            let piece = old.piece(of: last.upperBound - 1)
            if let other = endings[piece] {
                ending.replaced.merge(other.replaced, uniquingKeysWith: +)
                ending.problem = ending.problem ?? other.problem
            }
            endings[piece] = ending
        }
    }

    /// Returns the substitute for the next piece; `nil` if the piece is not the one of the first
    /// pass.
    mutating func next(_ bytes: [UInt8]) -> ScrubbedPiece? {
        guard index < old.ends.count, old.bytes[old.range(ofPiece: index)].elementsEqual(bytes)
        else { return nil }
        defer { index += 1 }
        var piece = ScrubbedPiece(Array(self.bytes[old.range(ofPiece: index)]))
        guard let ending = endings[index] else { return piece }
        piece.replaced = ending.replaced
        piece.problem = ending.problem
        piece.whole = packet(items[ending.item], of: self.bytes)
        return piece
    }
}
