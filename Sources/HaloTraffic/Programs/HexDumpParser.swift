import HaloProtocol

/// Reads a binary log that was printed in hexadecimal, by `xxd` or by `hexdump -C`.
///
/// ```
/// 00000000: 6274 736e 6f6f 7000 0000 0001 0000 03ea  btsnoop.........
/// 00000000  62 74 73 6e 6f 6f 70 00  00 00 00 01 00 00 03 ea  |btsnoop.........|
/// ```
///
/// A line of `*` stands for repetitions of the line before it. Offsets are those of the binary log.
struct HexDumpParser: TextLineParser {
    var lines = TextLines()
    private var feeder = ChunkFeeder()
    private var content = Content.unknown
    /// The number of bytes so far.
    private var count = 0
    private var last = ContiguousArray<UInt8>()
    private var isRepeated = false

    private enum Content: Sendable {
        case unknown
        case btsnoop(RecordFileParser<BTSnoopFormat>)
        case pcap(RecordFileParser<PcapFormat>)
        case pcapNG(PcapNGParser)
    }

    /// The maximum number of bytes that a line of `*` stands for.
    private static let longestRepetition = 1 << 20

    /// `true` if the first line is the beginning of a dump of a log.
    static func looksLike(_ beginning: Span<UInt8>) -> Bool {
        guard let line = TextLines.first(1, of: beginning).first,
            let (offset, bytes) = parse(line[...]), offset == 0
        else { return false }
        return content(of: bytes) != nil
    }

    private static func content(of bytes: ContiguousArray<UInt8>) -> Content? {
        let bytes = bytes.span
        if bytes.has(BTSnoopFormat.magic) { return .btsnoop(RecordFileParser()) }
        if PcapFormat.Magic.find(in: bytes) != nil { return .pcap(RecordFileParser()) }
        return bytes.has("\n\r\r\n") ? .pcapNG(PcapNGParser()) : nil
    }

    /// The offset and the bytes of a line; `nil` for other text.
    private static func parse(
        _ line: ArraySlice<UInt8>
    ) -> (offset: Int, bytes: ContiguousArray<UInt8>)? {
        var cursor = TextCursor(line)
        guard let number = cursor.hexadecimal(), number.digits >= 7,
            let offset = Int(exactly: number.value)
        else { return nil }
        // hexdump prints the length of the file on a line of its own.
        if cursor.next == nil { return (offset, []) }
        let isXXD = cursor.skip(":")
        guard isXXD || cursor.skip("  ") else { return nil }
        cursor.skipSpaces()
        var bytes = ContiguousArray<UInt8>()
        var spaces = 0
        // Two spaces end the bytes; in the output of hexdump they are in the middle, too.
        while bytes.count < 16, spaces < 2 || !isXXD && bytes.count == 8,
            let byte = cursor.byte()
        {
            bytes.append(byte)
            spaces = cursor.rest.prefix { $0 == UInt8(ascii: " ") }.count
            cursor.skipSpaces()
        }
        return (offset, bytes)
    }

    mutating func finish(into sink: inout some RecordSink) throws(TrafficError) {
        switch content {
        case .unknown: throw TrafficError(.unknownFormat, at: 0, hint: "no line is one of a dump")
        case .btsnoop(var parser): try feeder.finish(&parser, into: &sink)
        case .pcap(var parser): try feeder.finish(&parser, into: &sink)
        case .pcapNG(var parser): try feeder.finish(&parser, into: &sink)
        }
    }

    mutating func readLine(into sink: inout some RecordSink) throws(TrafficError) {
        let line = TextLines.plain(lines.text)
        let isCut = !lines.isWhole
        lines.removeLine()
        if line.elementsEqual("*".utf8) {
            isRepeated = true
            return
        }
        // A line without its end and without bytes may be half of an offset.
        guard let (offset, bytes) = Self.parse(line[...]), !isCut || !bytes.isEmpty else { return }
        if isRepeated {
            isRepeated = false
            guard offset > count, offset - count <= Self.longestRepetition, !last.isEmpty else {
                throw TrafficError(.malformed, at: count, found: offset)
            }
            let missing = offset - count
            var repetition = ContiguousArray<UInt8>()
            while repetition.count < missing { repetition += last }
            try feed(ContiguousArray(repetition.prefix(missing)), into: &sink)
        }
        guard offset == count else { throw TrafficError(.malformed, at: count, found: offset) }
        if case .unknown = content {
            guard let content = Self.content(of: bytes) else {
                throw TrafficError(.unknownContent, at: 0, hint: "the dump is of no binary log")
            }
            self.content = content
        }
        if !bytes.isEmpty { last = bytes }
        try feed(bytes, into: &sink)
    }

    private mutating func feed(
        _ bytes: ContiguousArray<UInt8>, into sink: inout some RecordSink
    ) throws(TrafficError) {
        count += bytes.count
        let content = content
        self.content = .unknown
        switch content {
        case .unknown:
            break
        case .btsnoop(var parser):
            defer { self.content = .btsnoop(parser) }
            try feeder.feed(bytes.span, to: &parser, into: &sink)
        case .pcap(var parser):
            defer { self.content = .pcap(parser) }
            try feeder.feed(bytes.span, to: &parser, into: &sink)
        case .pcapNG(var parser):
            defer { self.content = .pcapNG(parser) }
            try feeder.feed(bytes.span, to: &parser, into: &sink)
        }
    }
}
