/// The layout of a log: the samples of each part.
@usableFromInline
enum SlotLogShape<Owner: SlotLogCommand> {
    @inlinable static var laterSamples: Int { 13 }
    @inlinable static var leastParts: UInt8 { 2 }

    @inlinable @inline(__always)
    static func samples(inPart index: UInt8) -> Int {
        index <= 1 ? Owner.Day.samplesBeside : laterSamples
    }

    @inlinable @inline(__always)
    static func values(in parts: UInt8) -> Int {
        parts < leastParts ? 0 : Owner.Day.samplesBeside + (Int(parts) - 2) * laterSamples
    }

    @inlinable @inline(__always)
    static func parts(for values: Int) -> UInt8 {
        let rest = max(values - Owner.Day.samplesBeside, 0)
        return UInt8(clamping: 2 + (rest + laterSamples - 1) / laterSamples)
    }

    /// Returns the index of a part's first sample.
    @inlinable @inline(__always)
    static func start(ofPart index: UInt8) -> Int { index <= 1 ? 0 : values(in: index) }
}
