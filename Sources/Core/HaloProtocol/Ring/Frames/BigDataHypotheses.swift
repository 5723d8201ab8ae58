/// A possible frame, which began at `start` and receives every byte since.
struct BigDataHypothesis: Sendable {
    /// The position of the frame's marker in the log.
    var start: Int
    /// The first six bytes, or `nil` before they are complete.
    var header: BigDataFrame.Header?
    /// The checksum of the payload so far.
    var checksum = CRC16()
    /// The value of `checksum` at the start of each hypothesis above this one.
    var savedChecksums: [CRC16] = []

    /// The end of the frame; before the header is complete, the end of the header.
    var end: Int { start + (header?.frameLength ?? BigDataFrame.headerLength) }
    /// `true` if the payload's checksum equals the announced one.
    var isRight: Bool { header.map { $0.checksum == checksum.value } ?? false }
}

/// The undecided bytes, and the possible frames in them.
///
/// The lowest hypothesis begins at the start of the log. Each other one begins inside of the one
/// below it, or after it. ``BigDataReassembler`` describes the rules.
struct BigDataHypotheses: Sendable {
    static let maximumCount = 6

    private(set) var log: [UInt8] = []
    /// The possible frames, the outermost first.
    private(set) var stack: [BigDataHypothesis] = []
    /// The number of bytes that were added to checksums; tests check its bound.
    private(set) var checkedByteCount = 0

    var isEmpty: Bool { stack.isEmpty }
    var isFull: Bool { stack.count >= Self.maximumCount }

    func isIncomplete(_ level: Int) -> Bool { log.count < stack[level].end }

    /// Returns `true` for a complete frame without another frame inside of it.
    func hasFailed(_ level: Int) -> Bool {
        !isIncomplete(level) && !isInterrupted(level)
    }

    /// Returns `true` if another frame begins inside of the frame.
    func isInterrupted(_ level: Int) -> Bool {
        let above = level + 1
        return above < stack.count && stack[above].start < stack[level].end
    }

    /// Returns the length of a complete frame with a right checksum, else `nil`.
    func lengthIfRight(_ level: Int) -> Int? {
        guard stack.indices.contains(level), stack[level].isRight, !isIncomplete(level) else {
            return nil
        }
        return stack[level].header?.frameLength
    }

    /// The number of bytes until the next decision; `nil` if no frame is open.
    var bytesUntilDecision: Int? {
        var least: Int?
        for level in stack.indices where isIncomplete(level) {
            least = min(least ?? .max, stack[level].end - log.count)
        }
        return least
    }

    /// The level of the inner frame that lacks most bytes; one without a header lacks the most.
    var leastLikelyInner: Int {
        var chosen = 1
        for level in stack.indices.dropFirst(2)
        where missingByteCount(level) > missingByteCount(chosen) {
            chosen = level
        }
        return chosen
    }

    /// Returns the number of missing bytes; `Int.max` without a header.
    func missingByteCount(_ level: Int) -> Int {
        stack[level].header == nil ? .max : stack[level].end - log.count
    }

    /// Returns the bytes from the start of a frame to the end of the log.
    func bytes(from level: Int) -> [UInt8] { Array(log[stack[level].start...]) }

    func frame(_ level: Int) -> BigDataFrame? {
        guard let header = stack[level].header else { return nil }
        let first = stack[level].start + BigDataFrame.headerLength
        return BigDataFrame(id: header.id, unchecked: Array(log[first...]))
    }

    /// Returns the record id of a hypothesis, or `nil` if it was not received.
    func id(_ level: Int) -> UInt8? {
        let place = stack[level].start + 1
        let end = level + 1 < stack.count ? stack[level + 1].start : log.count
        return place < end ? log[place] : nil
    }

    /// Opens a frame that begins with the next byte.
    mutating func open() {
        for level in stack.indices {
            stack[level].savedChecksums.append(stack[level].checksum)
        }
        stack.append(BigDataHypothesis(start: log.count))
    }

    /// Appends bytes, no more than ``bytesUntilDecision``.
    mutating func append(_ bytes: Span<UInt8>) {
        for level in stack.indices where isIncomplete(level) && stack[level].header != nil {
            stack[level].checksum.update(bytes)
            checkedByteCount &+= bytes.count
        }
        unsafe bytes.withUnsafeBufferPointer { unsafe log.append(contentsOf: $0) }
    }

    /// Reads the header of a hypothesis that has exactly six bytes now; else returns `nil`.
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

    /// Removes the bytes of a hypothesis, and the hypotheses above it; those below continue there.
    mutating func cut(_ level: Int) {
        log.removeLast(log.count - stack[level].start)
        stack.removeLast(stack.count - level)
        for lower in stack.indices {
            let index = level - lower - 1
            stack[lower].checksum = stack[lower].savedChecksums[index]
            stack[lower].savedChecksums.removeLast(stack[lower].savedChecksums.count - index)
            if log.count < stack[lower].start + BigDataFrame.headerLength {
                stack[lower].header = nil
            }
        }
    }

    /// Drops a hypothesis above the lowest; its bytes remain those of the hypotheses below.
    mutating func drop(_ level: Int) {
        stack.remove(at: level)
        for lower in 0..<level {
            stack[lower].savedChecksums.remove(at: level - lower - 1)
        }
    }

    /// Removes the lowest hypothesis and returns its bytes; the next one becomes the lowest.
    mutating func dropLowest() -> [UInt8] {
        stack.removeFirst()
        return removeFirst(stack.first?.start ?? log.count)
    }

    /// Restarts the only hypothesis at a later marker in its header. Returns the bytes before.
    mutating func restart() -> [UInt8] {
        stack.removeAll(keepingCapacity: true)
        let next = log.dropFirst().firstIndex(of: BigDataFrame.marker)
        if let next { stack.append(BigDataHypothesis(start: next)) }
        return removeFirst(next ?? log.count)
    }

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
