import HaloProtocol

/// All that one side of a connection sent on the big-data channel, piece by piece.
///
/// A live reassembler must decide as bytes come; this one has them all, so it tries what it finds:
/// a frame lies in one run, or is interrupted by whole frames that begin with a piece. What
/// belongs to no frame is loose.
struct BigDataStream: Sendable {
    /// Which bytes of the stream belong together.
    enum Item: Hashable, Sendable {
        /// A frame with a right checksum, in the runs that it lies in.
        case frame([Range<Int>])
        /// Bytes of one piece that are in no frame.
        case loose(Range<Int>)

        var runs: [Range<Int>] {
            switch self {
            case .frame(let runs): runs
            case .loose(let run): [run]
            }
        }
    }

    private(set) var bytes: [UInt8] = []
    /// Where each piece ends.
    private(set) var ends: [Int] = []

    mutating func append(_ piece: [UInt8]) {
        bytes += piece
        ends.append(bytes.count)
    }

    /// Where a piece lies.
    func range(ofPiece index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    /// The piece that a byte lies in.
    func piece(of place: Int) -> Int {
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if place < ends[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// What the stream consists of, every byte once; what it costs grows with its length only.
    func items() -> [Item] {
        var items: [Item] = []
        // How many bytes may go through a checksum: lengths that lie would make it a square.
        var budget = 64 * bytes.count + (1 << 20)
        var place = 0
        while place < bytes.count {
            if let run = run(at: place, &budget) {
                items.append(.frame([run]))
                place = run.upperBound
            } else if let (runs, inner, end) = interrupted(at: place, &budget) {
                items += inner.map { .frame([$0]) }
                items.append(.frame(runs))
                place = end
            } else {
                let end = ends[piece(of: place)]
                items.append(.loose(place..<end))
                place = end
            }
        }
        return items
    }

    private func run(at place: Int, _ budget: inout Int) -> Range<Int>? {
        guard let length = BigDataFrame.announcedLength(of: bytes[place...]),
            bytes.count - place >= length, budget >= length
        else {
            return nil
        }
        budget -= length
        let range = place..<(place + length)
        return (try? BigDataFrame(decoding: bytes[range])) == nil ? nil : range
    }

    private func interrupted(
        at place: Int, _ budget: inout Int
    ) -> (runs: [Range<Int>], inner: [Range<Int>], end: Int)? {
        guard var missing = BigDataFrame.announcedLength(of: bytes[place...]) else { return nil }
        var runs: [Range<Int>] = []
        var inner: [Range<Int>] = []
        var start = place
        while missing > 0, start < bytes.count {
            if start > place, let other = run(at: start, &budget),
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
