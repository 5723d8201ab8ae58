/// Splits a file, received in chunks of any size, into whole units for a parser.
///
/// Only units across two chunks are copied. At most two of the longest units are held.
struct ChunkFeeder: Sendable {
    /// The maximum length of a unit in bytes; a parser skips the rest of a longer one.
    static let longestUnit = 1 << 20

    /// The file offset of the next unit.
    private(set) var offset = 0
    /// The beginning of a unit that continues in the next chunk.
    private var carry = ContiguousArray<UInt8>()
    private var needed = 1
    private var skipping = 0

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
                let used = try advance(by: step, of: rest.count)
                if used == 0 { append(rest) }
                position += used > 0 ? used : rest.count
            } else {
                position += try cross(rest, to: &parser, into: &sink)
            }
        }
    }

    mutating func finish(
        _ parser: inout some UnitParser, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if skipping > 0 {
            throw TrafficError(.truncated, at: offset, missing: skipping)
        }
        try parser.finish(carry.span, at: offset, into: &sink)
    }

    /// Continues the unit in ``carry``. Returns the number of used new bytes.
    ///
    /// The carry at least doubles each time: otherwise a parser that always needs one more byte
    /// would take quadratic time.
    private mutating func cross(
        _ rest: Span<UInt8>, to parser: inout some UnitParser, into sink: inout some RecordSink
    ) throws(TrafficError) -> Int {
        let held = carry.count
        let count = min(max(needed - held, held), rest.count)
        append(rest.extracting(0..<count))
        guard carry.count >= needed else { return count }
        let step = try parser.parse(carry.span, at: offset, into: &sink)
        let used = try advance(by: step, of: carry.count)
        if used == 0 { return count }
        if used >= held {
            carry.removeAll(keepingCapacity: true)
            return used - held
        }
        carry.removeLast(count)
        carry.removeFirst(used)
        return 0
    }

    /// Applies a step. Returns the number of used bytes; 0 if the parser needs more.
    private mutating func advance(
        by step: UnitStep, of available: Int
    ) throws(TrafficError) -> Int {
        switch step {
        case .read(let count):
            return use(max(1, min(count, available)))
        case .skips(let count):
            let used = use(max(1, min(count, available)))
            skipping = max(0, count - used)
            return used
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
