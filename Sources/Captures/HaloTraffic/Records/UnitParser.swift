/// A parser of a file in units: a header, a record, a block, a line.
protocol UnitParser {
    /// Reads one unit from the start of `bytes`, or returns the number of bytes it needs. There is
    /// at least one byte; `offset` is the file offset of the first.
    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep

    /// Ends the file; `rest` has the bytes after the last whole unit, if any.
    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError)
}
