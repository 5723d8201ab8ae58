/// Hands chunks of a file, which are cut anywhere, to a parser in whole units.
///
/// It copies only units that lie across a cut, and holds one such unit at most.
struct ChunkFeeder: Sendable {
    /// How long a unit may be; a parser asks for no more, or skips what it does not need.
    static let longestUnit = 1 << 20

    /// Where in the file the next unit begins.
    private(set) var offset = 0
    private var carry = ContiguousArray<UInt8>()
    private var needed = 1
    private var skipping = 0

    /// Feeds a chunk.
    mutating func feed(
        _ chunk: Span<UInt8>, to parser: inout some UnitParser, into sink: inout some RecordSink
    ) throws(TrafficError) {
        var position = 0
        while position < chunk.count {
            if skipping > 0 {
                let count = min(skipping, chunk.count - position)
                skipping -= count
                position += count
                offset += count
            } else if carry.isEmpty {
                let rest = chunk.extracting(position..<chunk.count)
                let step = try parser.parse(rest, at: offset, into: &sink)
                position += try advance(by: step, of: rest.count)
                if carry.isEmpty, needed > rest.count {
                    append(rest)
                    position = chunk.count
                }
            } else {
                let count = min(max(needed - carry.count, 1), chunk.count - position)
                append(chunk.extracting(position..<position + count))
                position += count
                guard carry.count >= needed else { continue }
                let step = try parser.parse(carry.span, at: offset, into: &sink)
                let taken = try advance(by: step, of: carry.count)
                if taken > 0 { carry.removeFirst(taken) }
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

    /// Notes a step, and says how many of the bytes at hand it used up.
    private mutating func advance(
        by step: UnitStep, of available: Int
    ) throws(TrafficError) -> Int {
        switch step {
        case .took(let count):
            let count = max(1, min(count, available))
            offset += count
            needed = 1
            return count
        case .needs(let count):
            guard count <= Self.longestUnit else {
                throw TrafficError(.recordTooLong, at: offset, found: count)
            }
            needed = max(count, available + 1)
            return 0
        case .skips(let count):
            let taken = max(0, min(count, available))
            skipping = max(0, count - taken)
            offset += taken
            needed = 1
            return taken
        }
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { carry.append(contentsOf: $0) }
    }
}
