/// Decodes DEFLATE (RFC 1951) in pieces of any size, in constant memory.
///
/// Bits are read from the lowest one of each byte on. A stream is a sequence of blocks:
///
///     block   last, 1 bit · kind, 2 bits · content
///     kind 0  padding to a whole byte · length, 16 bits · its complement, 16 bits · bytes
///     kind 1  symbols in fixed codes
///     kind 2  counts of code lengths, 5, 5 and 4 bits · lengths of the codes for code lengths,
///             3 bits each · code lengths · symbols in these codes
///     symbol  0–255: a byte · 256: the end of the block
///             257–285: a length, then a distance: the bytes to repeat
///
/// The caller alternates between ``decode(_:from:)`` and ``drain(_:)``. What is decoded before an
/// error can be drained too. A symbol is decoded as a whole or not at all, so the end of the input
/// may lie anywhere.
struct Inflater: Sendable {
    enum Pause: Hashable, Sendable {
        case needsInput
        case isFull
        /// The stream has ended. The next input byte does not belong to it.
        case hasEnded
        case isDamaged(Damage)
    }

    enum Damage: String, Hashable, Sendable {
        case unknownBlock = "a block is of no known kind"
        case wrongStoredLength = "the two lengths of a stored block differ"
        case wrongCodes = "the codes of a block are impossible"
        case unknownSymbol = "a code has no meaning"
        case distanceTooLong = "a repetition refers to bytes before the beginning"
    }

    /// The longest distance back, and so the number of decoded bytes that are kept.
    static let windowLength = 1 << 15
    private static let longestCopy = 258
    private static let outputLength = 3 * windowLength

    private enum Part {
        case blockHeader
        case storedLength
        case stored(remaining: Int)
        case codeCounts
        case lengthCodes(CodeCounts, index: Int)
        case codeLengths(CodeCounts, index: Int)
        case symbols
    }

    private typealias CodeCounts = (literals: Int, distances: Int, lengthCodes: Int)

    private var part = Part.blockHeader
    private var isLastBlock = false
    /// Fixed codes are made once until others replace them: making them for each of many empty
    /// blocks, of ten bits each, would take seconds for a megabyte.
    private var hasFixedCodes = false
    private var reader = BitReader()
    /// The newest bytes: `drained` were handed out, and those up to `position` are not yet.
    private var output = ContiguousArray<UInt8>(repeating: 0, count: outputLength)
    private var position = 0
    private var drained = 0
    private var lengths = ContiguousArray<UInt8>(repeating: 0, count: 320)
    private var literals = CodeTable(width: 10)
    private var distances = CodeTable(width: 9)

    /// Begins another stream. What was decoded before has to be drained.
    mutating func restart() {
        part = .blockHeader
        isLastBlock = false
        reader = BitReader()
        position = 0
        drained = 0
    }

    /// Decodes from `next` of the input on, and moves `next` behind what was used. It is not called
    /// after damage.
    mutating func decode(_ input: Span<UInt8>, from next: inout Int) -> Pause {
        while true {
            guard let pause = decodePart(input, &next) else { continue }
            if pause == .hasEnded {
                // Whole bytes that were read ahead are of this input: earlier ones were needed.
                next = max(0, next - reader.count >> 3)
                reader = BitReader()
            }
            return pause
        }
    }

    var pendingCount: Int { position - drained }

    /// Calls `body` with the decoded bytes, unless there are none, and forgets all but the window.
    mutating func drain<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard drained < position else { return }
        let pending = drained..<position
        drained = position
        defer {
            if position > output.count - Self.windowLength {
                slide()
            }
        }
        try body(output.span.extracting(pending))
    }

    func withPending(_ body: (Span<UInt8>) -> Void) {
        body(output.span.extracting(drained..<position))
    }

    private mutating func slide() {
        let kept = position - Self.windowLength
        output.withUnsafeMutableBufferPointer { output in
            let window = UnsafeMutableBufferPointer(rebasing: output[..<Self.windowLength])
            _ = window.update(fromContentsOf: output[kept..<kept + Self.windowLength])
        }
        position = Self.windowLength
        drained = position
    }

    // MARK: Parts

    /// Decodes as much of a part as possible; returns `nil` if another part follows.
    private mutating func decodePart(_ input: Span<UInt8>, _ next: inout Int) -> Pause? {
        switch part {
        case .blockHeader:
            if isLastBlock { return .hasEnded }
            guard let header = reader.take(3, input, &next) else { return .needsInput }
            return beginBlock(header)
        case .storedLength:
            reader.align()
            guard let lengths = reader.take(32, input, &next) else { return .needsInput }
            guard lengths & 0xFFFF == lengths >> 16 ^ 0xFFFF else {
                return .isDamaged(.wrongStoredLength)
            }
            part = .stored(remaining: lengths & 0xFFFF)
            return nil
        case .stored(let remaining):
            return copyStored(remaining, input, &next)
        case .codeCounts:
            guard let numbers = reader.take(14, input, &next) else { return .needsInput }
            let counts = (
                literals: numbers & 0x1F + 257, distances: numbers >> 5 & 0x1F + 1,
                lengthCodes: numbers >> 10 + 4
            )
            guard counts.literals <= 286, counts.distances <= 30 else {
                return .isDamaged(.wrongCodes)
            }
            for index in 0..<19 { lengths[index] = 0 }
            part = .lengthCodes(counts, index: 0)
            return nil
        case .lengthCodes(let counts, let index):
            for index in index..<counts.lengthCodes {
                guard let length = reader.take(3, input, &next) else {
                    part = .lengthCodes(counts, index: index)
                    return .needsInput
                }
                lengths[Self.order[index]] = UInt8(length)
            }
            guard distances.make(lengths, 0..<19, Symbol.codeLength), distances.isComplete else {
                return .isDamaged(.wrongCodes)
            }
            part = .codeLengths(counts, index: 0)
            return nil
        case .codeLengths(let counts, let index):
            return readCodeLengths(counts, index, input, &next)
        case .symbols:
            return decodeSymbols(input, &next)
        }
    }

    private mutating func beginBlock(_ header: Int) -> Pause? {
        isLastBlock = header & 1 == 1
        switch header >> 1 {
        case 0:
            part = .storedLength
        case 1:
            if !hasFixedCodes {
                for symbol in 0..<288 {
                    lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8
                }
                literals.make(lengths, 0..<288, Symbol.literal)
                for symbol in 0..<32 { lengths[symbol] = 5 }
                distances.make(lengths, 0..<32, Symbol.distance)
                hasFixedCodes = true
            }
            part = .symbols
        case 2:
            hasFixedCodes = false
            part = .codeCounts
        default:
            return .isDamaged(.unknownBlock)
        }
        return nil
    }

    private mutating func copyStored(
        _ remaining: Int, _ input: Span<UInt8>, _ next: inout Int
    ) -> Pause? {
        var remaining = remaining
        while remaining > 0 {
            guard position < output.count else { return stop(.isFull) }
            if reader.count >= 8 {
                output[position] = UInt8(truncatingIfNeeded: reader.bits)
                position += 1
                reader.drop(8)
                remaining -= 1
            } else {
                reader.removeRest()
                let count = min(remaining, output.count - position, input.count - next)
                guard count > 0 else { return stop(.needsInput) }
                for index in 0..<count { output[position + index] = input[next + index] }
                position += count
                next += count
                remaining -= count
            }
        }
        part = .blockHeader
        return nil

        func stop(_ pause: Pause) -> Pause {
            part = .stored(remaining: remaining)
            return pause
        }
    }

    // MARK: Codes of a block

    /// The order in which the lengths of the codes for code lengths are written.
    private static let order: [Int] = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    private mutating func readCodeLengths(
        _ counts: CodeCounts, _ index: Int, _ input: Span<UInt8>, _ next: inout Int
    ) -> Pause? {
        let end = counts.literals + counts.distances
        var index = index
        while index < end {
            reader.fill(input, &next)
            let symbol = distances.find(reader.bits)
            let count = symbol.bitCount + symbol.extraCount
            guard count <= reader.count else {
                part = .codeLengths(counts, index: index)
                return .needsInput
            }
            let extra = symbol.extra(in: reader.bits)
            reader.drop(count)
            var length: UInt8 = 0
            var repetitions = 1
            if symbol.value < 16 {
                length = UInt8(symbol.value)
            } else {
                // 16 repeats the length before it; 17 and 18 are zeros.
                repetitions = (symbol.value == 18 ? 11 : 3) + extra
                guard symbol.value > 16 || index > 0, repetitions <= end - index else {
                    return .isDamaged(.wrongCodes)
                }
                if symbol.value == 16 { length = lengths[index - 1] }
            }
            for _ in 0..<repetitions {
                lengths[index] = length
                index += 1
            }
        }
        guard lengths[Symbol.endNumber] > 0,
            literals.make(lengths, 0..<counts.literals, Symbol.literal),
            distances.make(lengths, counts.literals..<end, Symbol.distance)
        else { return .isDamaged(.wrongCodes) }
        part = .symbols
        return nil
    }

    // MARK: Symbols

    private mutating func decodeSymbols(_ input: Span<UInt8>, _ next: inout Int) -> Pause? {
        var reader = reader
        var place = next
        var position = position
        let outputEnd = output.count - Self.longestCopy
        var buffer = ContiguousArray<UInt8>()
        swap(&buffer, &self.output)
        defer {
            swap(&buffer, &self.output)
            reader.removeRest()
            self.reader = reader
            self.position = position
            next = place
        }
        var output = buffer.mutableSpan
        while position <= outputEnd {
            reader.fill(input, &place)
            let symbol = literals.find(reader.bits)
            switch symbol.kind {
            case .literal:
                guard symbol.bitCount <= reader.count else { return .needsInput }
                output[position] = UInt8(truncatingIfNeeded: symbol.value)
                position &+= 1
                reader.drop(symbol.bitCount)
            case .copy:
                if let pause = copy(symbol, &reader, &output, &position) { return pause }
            case .end, .unknown:
                guard symbol.bitCount <= reader.count else { return .needsInput }
                guard symbol.kind == .end else { return .isDamaged(.unknownSymbol) }
                reader.drop(symbol.bitCount)
                part = .blockHeader
                return nil
            }
        }
        return .isFull
    }

    /// Repeats earlier bytes by a symbol for a length and the symbol for a distance behind it.
    @inline(__always)
    private func copy(
        _ symbol: Symbol, _ reader: inout BitReader, _ output: inout MutableSpan<UInt8>,
        _ position: inout Int
    ) -> Pause? {
        let length = symbol.value &+ symbol.extra(in: reader.bits)
        let bits = reader.bits >> UInt64(symbol.bitCount &+ symbol.extraCount)
        let back = distances.find(bits)
        let distance = back.value &+ back.extra(in: bits)
        let used =
            symbol.bitCount &+ symbol.extraCount &+ back.bitCount &+ back.extraCount
        guard used <= reader.count else { return .needsInput }
        guard back.kind == .copy else { return .isDamaged(.unknownSymbol) }
        guard distance <= position else { return .isDamaged(.distanceTooLong) }
        reader.drop(used)
        let end = position + length
        while position < end {
            output[position] = output[position &- distance]
            position &+= 1
        }
        return nil
    }
}

/// Bits that were read from a stream but not used, the next one lowest.
private struct BitReader: Sendable {
    /// The bits. Those above ``count`` are zero, or are of the next bytes of the stream.
    private(set) var bits: UInt64 = 0
    private(set) var count = 0

    /// Reads ahead as much as fits, at least 56 bits unless the input ends.
    @inline(__always)
    mutating func fill(_ input: Span<UInt8>, _ next: inout Int) {
        if next <= input.count - 8 {
            bits |= input.uint64(at: next, .little) << UInt64(count)
            next += (63 - count) >> 3
            count |= 56
        } else {
            while count <= 56, next < input.count {
                bits |= UInt64(input[next]) << UInt64(count)
                next += 1
                count += 8
            }
        }
    }

    /// Removes bits, at most ``count``.
    @inline(__always)
    mutating func drop(_ number: Int) {
        bits >>= UInt64(number)
        count &-= number
    }

    mutating func align() { drop(count & 7) }

    /// Removes what is above ``count``, before bytes are read past these bits.
    mutating func removeRest() { bits &= ~(~0 << UInt64(count)) }

    /// Removes and returns the next bits, at most 32; `nil` if the input ends before.
    mutating func take(
        _ number: Int, _ input: Span<UInt8>, _ next: inout Int
    ) -> Int? {
        fill(input, &next)
        guard count >= number else { return nil }
        let value = Int(truncatingIfNeeded: bits & (1 << UInt64(number) - 1))
        drop(number)
        return value
    }
}
