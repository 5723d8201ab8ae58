/// A frame that may be arriving: it began at `start` and takes every byte since.
struct BigDataHypothesis: Sendable {
    /// Where in the log its marker lies.
    var start: Int
    /// The first six bytes, once they are there.
    var header: BigDataFrame.Header?
    /// The checksum of its payload so far.
    var checksum = CRC16()
    /// What `checksum` was where each of the hypotheses above this one began.
    var marks: [CRC16] = []

    /// Where it ends; before the header is known, where that does.
    var end: Int { start + (header?.frameLength ?? BigDataFrame.headerLength) }
    /// Whether the payload's checksum is the announced one.
    var isRight: Bool { header.map { $0.checksum == checksum.value } ?? false }
}

/// The bytes that are not decided yet, and the frames that they may be.
///
/// The lowest hypothesis begins where the log does; each other one began inside of the one below
/// it, or behind it. What they are for is written in ``BigDataReassembler``.
struct BigDataHypotheses: Sendable {
    /// How many frames may be open, one inside of the other.
    static let most = 6

    /// Every byte that is not decided yet.
    private(set) var log: [UInt8] = []
    /// What the bytes may be, the outermost frame first.
    private(set) var stack: [BigDataHypothesis] = []
    /// How many bytes went through a checksum: what the bound on the work is tested by.
    private(set) var checkedByteCount = 0

    var isEmpty: Bool { stack.isEmpty }
    var isFull: Bool { stack.count >= Self.most }

    /// Whether it still takes bytes.
    func isLive(_ level: Int) -> Bool { log.count < stack[level].end }

    /// Whether it has all its bytes, was not right, and nothing inside of it explains why.
    func isDoomed(_ level: Int) -> Bool {
        !isLive(level) && !isInterrupted(level)
    }

    /// Whether another one began inside of it.
    func isInterrupted(_ level: Int) -> Bool {
        let above = level + 1
        return above < stack.count && stack[above].start < stack[level].end
    }

    /// How long a hypothesis is, if it has all its bytes and is right.
    func lengthIfRight(_ level: Int) -> Int? {
        guard stack.indices.contains(level), stack[level].isRight, !isLive(level) else {
            return nil
        }
        return stack[level].header?.frameLength
    }

    /// How many bytes may come before something must be decided; nothing if nothing is open.
    var bytesUntilDecision: Int? {
        var least: Int?
        for level in stack.indices where isLive(level) {
            least = min(least ?? .max, stack[level].end - log.count)
        }
        return least
    }

    /// The inner hypothesis that waits for most bytes; before all, the first one without a header.
    var leastLikelyInner: Int {
        var chosen = 1
        for level in stack.indices.dropFirst(2) where outstanding(level) > outstanding(chosen) {
            chosen = level
        }
        return chosen
    }

    /// How many bytes it waits for, as far as that is known.
    func outstanding(_ level: Int) -> Int {
        stack[level].header == nil ? .max : stack[level].end - log.count
    }

    /// Bytes from where a hypothesis begins to the end of the log.
    func bytes(from level: Int) -> [UInt8] { Array(log[stack[level].start...]) }

    /// The frame that a hypothesis is, with all its bytes there.
    func frame(_ level: Int) -> BigDataFrame? {
        guard let header = stack[level].header else { return nil }
        let first = stack[level].start + BigDataFrame.headerLength
        return BigDataFrame(id: header.id, unchecked: Array(log[first...]))
    }

    /// The record id that a hypothesis announces, as far as its header is there.
    func id(_ level: Int) -> UInt8? {
        let place = stack[level].start + 1
        let end = level + 1 < stack.count ? stack[level + 1].start : log.count
        return place < end ? log[place] : nil
    }

    /// The next byte begins a frame.
    mutating func open() {
        for level in stack.indices {
            stack[level].marks.append(stack[level].checksum)
        }
        stack.append(BigDataHypothesis(start: log.count))
    }

    /// More bytes, no more than ``bytesUntilDecision``.
    mutating func append(_ bytes: Span<UInt8>) {
        for level in stack.indices where isLive(level) && stack[level].header != nil {
            stack[level].checksum.update(bytes)
            checkedByteCount &+= bytes.count
        }
        unsafe bytes.withUnsafeBufferPointer { unsafe log.append(contentsOf: $0) }
    }

    /// Reads the header of a hypothesis whose first six bytes have come.
    mutating func readHeader(_ level: Int) -> BigDataFrame.Header? {
        let start = stack[level].start
        guard stack[level].header == nil, log.count == start + BigDataFrame.headerLength else {
            return nil
        }
        let bytes = log[start...]
        let header = BigDataFrame.Header(bytes.span)
        stack[level].header = header
        return header
    }

    /// Cuts a hypothesis' bytes out of the log; those below go on from where it began.
    mutating func cut(_ level: Int) {
        log.removeLast(log.count - stack[level].start)
        stack.removeLast(stack.count - level)
        for lower in stack.indices {
            let mark = level - lower - 1
            stack[lower].checksum = stack[lower].marks[mark]
            stack[lower].marks.removeLast(stack[lower].marks.count - mark)
            if log.count < stack[lower].start + BigDataFrame.headerLength {
                stack[lower].header = nil
            }
        }
    }

    /// Forgets a hypothesis that is not the lowest: its bytes are those of the ones below.
    mutating func forget(_ level: Int) {
        stack.remove(at: level)
        for lower in 0..<level {
            stack[lower].marks.remove(at: level - lower - 1)
        }
    }

    /// Gives up the lowest hypothesis; the next one takes its place. Answers with its bytes.
    mutating func dropLowest() -> [UInt8] {
        stack.removeFirst()
        return removeFirst(stack.first?.start ?? log.count)
    }

    /// Looks for a later marker in the header of the only hypothesis, and begins anew there.
    /// Answers with the bytes before.
    mutating func restart() -> [UInt8] {
        stack.removeAll(keepingCapacity: true)
        let next = log.dropFirst().firstIndex(of: BigDataFrame.marker)
        if let next { stack.append(BigDataHypothesis(start: next)) }
        return removeFirst(next ?? log.count)
    }

    /// Gives up everything. Answers with all bytes.
    mutating func removeAll() -> [UInt8] {
        stack.removeAll(keepingCapacity: true)
        return removeFirst(log.count)
    }

    private mutating func removeFirst(_ count: Int) -> [UInt8] {
        let bytes = Array(log[..<count])
        log.removeFirst(count)
        for level in stack.indices { stack[level].start -= count }
        return bytes
    }
}
