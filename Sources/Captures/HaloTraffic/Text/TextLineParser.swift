protocol TextLineParser: UnitParser {
    var lines: TextLines { get set }

    /// Reads the current line, and removes it if it is whole. The last line of a file may have no
    /// end, as it may have been cut off.
    mutating func readLine(into sink: inout some RecordSink) throws(TrafficError)

    mutating func finish(into sink: inout some RecordSink) throws(TrafficError)
}

extension TextLineParser {
    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        let step = try lines.receive(bytes, at: offset)
        if lines.isWhole { try readLine(into: &sink) }
        return step
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if rest.count > 0 { _ = try lines.receive(rest, at: offset, isLast: true) }
        if lines.isWhole || !lines.text.isEmpty { try readLine(into: &sink) }
        try finish(into: &sink)
    }
}
