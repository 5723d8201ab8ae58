/// A format with a file header and records, each with a header of fixed length and a packet.
protocol RecordFileFormat: Sendable {
    /// The length of the file header in bytes; 0 for a format without one.
    static var headerLength: Int { get }
    /// The length of a record's header in bytes.
    static var recordHeaderLength: Int { get }
    /// The number of first bytes of a record from which its length is known.
    static var lengthEnd: Int { get }

    /// Reads the file header at file offset `offset`. For a format without a header, `bytes` begin
    /// with the header of the first record.
    init(header bytes: Span<UInt8>, at offset: Int) throws(TrafficError)

    /// The length of the packet by its record's header, and the offset of the length field.
    func packetLength(
        _ header: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> (length: Int, offset: Int)

    /// The time of a record by its header, in microseconds.
    func microseconds(_ header: Span<UInt8>) -> Int64

    /// Passes a record's packet to the sink.
    mutating func receive(
        _ packet: Span<UInt8>, _ header: Span<UInt8>, at position: FilePosition,
        into sink: inout some RecordSink)
}

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

    /// The number of bytes that the first step needs.
    private static var beginningLength: Int {
        Format.headerLength > 0 ? Format.headerLength : Format.recordHeaderLength
    }
}
