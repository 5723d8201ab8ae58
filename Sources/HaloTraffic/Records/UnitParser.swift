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
