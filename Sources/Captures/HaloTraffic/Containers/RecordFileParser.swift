/// Reads a file of a ``RecordFileFormat``. All bounds checks of these formats are here.
struct RecordFileParser<Format: RecordFileFormat>: UnitParser, Sendable {
    private var format: Format?
    private var counter = RecordCounter()

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        guard var format else {
            guard bytes.count >= Self.beginningLength else { return .needs(Self.beginningLength) }
            format = try Format(header: bytes, at: offset)
            if Format.headerLength > 0 { return .read(Format.headerLength) }
            return try parse(bytes, at: offset, into: &sink)
        }
        guard bytes.count >= Format.recordHeaderLength else {
            return .needs(Format.recordHeaderLength)
        }
        let (length, field) = try format.packetLength(bytes, at: offset)
        let end = Format.recordHeaderLength + (try RecordCounter.packetLength(length, at: field))
        guard bytes.count >= end else { return .needs(end) }
        let position = counter.next(at: offset, format.microseconds(bytes), into: &sink)
        let packet = bytes.extracting(Format.recordHeaderLength..<end)
        format.receive(packet, bytes, at: position, into: &sink)
        self.format = format
        return .read(end)
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        guard let format else { throw .cut(rest, at: offset, needs: Self.beginningLength) }
        if rest.isEmpty { return }
        var length = 0
        if rest.count >= Format.lengthEnd, let found = try? format.packetLength(rest, at: offset) {
            length = min(found.length, RecordCounter.longestPacket)
        }
        throw .cut(rest, at: offset, needs: Format.recordHeaderLength + length)
    }

    private static var beginningLength: Int {
        Format.headerLength > 0 ? Format.headerLength : Format.recordHeaderLength
    }
}
