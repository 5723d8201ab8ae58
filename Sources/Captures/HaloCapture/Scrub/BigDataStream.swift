import HaloProtocol

/// The pieces that one side of a connection has sent on the big-data channel.
///
/// A live reassembler must decide when bytes arrive. This stream has all bytes, so it can search: a
/// frame is one run, or is interrupted by whole frames that begin with a piece. Other bytes are
/// loose.
struct BigDataStream: Sendable {
    struct Item: Hashable, Sendable {
        /// The ranges of the bytes; of a frame without an interruption it is one.
        let runs: [Range<Int>]
        /// `true` for bytes of one piece that are not in a frame with a right checksum.
        var isLoose = false
    }

    private(set) var bytes: [UInt8] = []
    /// The end of each piece, as an index of ``bytes``.
    private(set) var ends: [Int] = []

    mutating func append(_ piece: [UInt8]) {
        bytes += piece
        ends.append(bytes.count)
    }

    func range(ofPiece index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    func piece(of index: Int) -> Int {
        ends.partitionPoint { $0 <= index }
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
                items.append(Item(runs: [run]))
                start = run.upperBound
            } else if let (runs, inner, end) = interrupted(at: start, &budget) {
                items += inner.map { Item(runs: [$0]) }
                items.append(Item(runs: runs))
                start = end
            } else {
                let end = ends[piece(of: start)]
                items.append(Item(runs: [start..<end], isLoose: true))
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
