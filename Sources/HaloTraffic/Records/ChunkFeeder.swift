/// Hands chunks of a file, which are cut anywhere, to a parser in whole units.
///
/// It copies only what lies across a cut, and never holds more than two of the longest units.
struct ChunkFeeder: Sendable {
    /// How long a unit may be; a parser asks for no more, or skips what it does not need.
    static let longestUnit = 1 << 20

    /// Where in the file the next unit begins.
    private(set) var offset = 0
    /// The beginning of a unit whose end has not come; the parser has seen it and needs more.
    private var carry = ContiguousArray<UInt8>()
    private var needed = 1
    private var skipping = 0

    /// Feeds a chunk.
    mutating func feed(
        _ chunk: Span<UInt8>, to parser: inout some UnitParser, into sink: inout some RecordSink
    ) throws(TrafficError) {
        var position = 0
        while position < chunk.count {
            let rest = chunk.extracting(position..<chunk.count)
            if skipping > 0 {
                let count = min(skipping, rest.count)
                skipping -= count
                offset += count
                position += count
            } else if carry.isEmpty {
                let step = try parser.parse(rest, at: offset, into: &sink)
                let taken = try advance(by: step, of: rest.count)
                if taken == 0 { append(rest) }
                position += taken > 0 ? taken : rest.count
            } else {
                position += try cross(rest, to: &parser, into: &sink)
            }
        }
    }

    /// Says that the file has ended.
    mutating func finish(
        _ parser: inout some UnitParser, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if skipping > 0 {
            throw TrafficError(.truncated, at: offset, missing: skipping)
        }
        try parser.finish(carry.span, at: offset, into: &sink)
    }

    /// Goes on with the unit that was begun, and says how many of the new bytes are done with.
    ///
    /// At least as many are put to it as it has: so a parser that looks for an end, and always asks
    /// for one more byte, does not look at all of them again for each.
    private mutating func cross(
        _ rest: Span<UInt8>, to parser: inout some UnitParser, into sink: inout some RecordSink
    ) throws(TrafficError) -> Int {
        let held = carry.count
        let count = min(max(needed - held, held), rest.count)
        append(rest.extracting(0..<count))
        guard carry.count >= needed else { return count }
        let step = try parser.parse(carry.span, at: offset, into: &sink)
        let taken = try advance(by: step, of: carry.count)
        if taken == 0 { return count }
        if taken >= held {
            carry.removeAll(keepingCapacity: true)
            return taken - held
        }
        carry.removeLast(count)
        carry.removeFirst(taken)
        return 0
    }

    /// Notes a step, and says how many of the bytes at hand it used up: none if it needs more.
    private mutating func advance(
        by step: UnitStep, of available: Int
    ) throws(TrafficError) -> Int {
        switch step {
        case .took(let count):
            return use(max(1, min(count, available)))
        case .skips(let count):
            let taken = use(max(1, min(count, available)))
            skipping = max(0, count - taken)
            return taken
        case .needs(let count):
            let count = max(count, available + 1)
            guard count <= Self.longestUnit else {
                throw TrafficError(.recordTooLong, at: offset, found: count)
            }
            needed = count
            return 0
        }
    }

    private mutating func use(_ count: Int) -> Int {
        offset += count
        needed = 1
        return count
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { carry.append(contentsOf: $0) }
    }
}

/// Reads a file unit by unit: a header, a record, a block, a line.
protocol UnitParser {
    /// Reads one unit from the start of `bytes`, which begin at `offset` of the file and are at
    /// least one; or says what it needs to.
    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep

    /// Takes the bytes behind the last whole unit, which may be none: the file ends here.
    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError)
}

/// What became of the bytes that a ``UnitParser`` was given.
enum UnitStep: Hashable, Sendable {
    /// So many of them were a unit: at least one, and no more than there were.
    case took(Int)
    /// The unit has at least so many bytes, which is more than there were.
    case needs(Int)
    /// So many bytes, perhaps beyond those at hand, are of no interest.
    case skips(Int)
}
