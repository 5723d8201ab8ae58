/// Finds a small part of a list that is still enough to make something fail.
///
/// It is delta debugging: the list is cut into pieces, and a piece, or all but a piece, takes the
/// list's place if that still fails; when nothing can be left out, the pieces become smaller.
struct FaultMinimiser {
    /// How often the run may be tried.
    var attemptLimit = 400

    /// The smallest part found; `fails` says whether a part is enough.
    func minimise(_ indices: [Int], fails: ([Int]) -> Bool) -> [Int] {
        guard !indices.isEmpty else { return indices }
        var attempts = 1
        if fails([]) { return [] }
        var kept = indices
        var pieceCount = 2
        while kept.count > 1 {
            guard let smaller = reduced(kept, pieceCount, &attempts, fails) else {
                guard pieceCount < kept.count, attempts < attemptLimit else { break }
                pieceCount = min(pieceCount * 2, kept.count)
                continue
            }
            pieceCount = smaller.isPiece ? 2 : max(pieceCount - 1, 2)
            kept = smaller.kept
        }
        return kept
    }

    private func reduced(
        _ kept: [Int], _ pieceCount: Int, _ attempts: inout Int, _ fails: ([Int]) -> Bool
    ) -> (kept: [Int], isPiece: Bool)? {
        let bounds = (0...pieceCount).map { kept.count * $0 / pieceCount }
        for isPiece in [true, false] where isPiece || pieceCount > 2 {
            for (start, end) in zip(bounds, bounds.dropFirst()) where start < end {
                guard attempts < attemptLimit else { return nil }
                attempts += 1
                let part =
                    isPiece ? Array(kept[start..<end]) : Array(kept[..<start] + kept[end...])
                if fails(part) { return (part, isPiece) }
            }
        }
        return nil
    }
}
