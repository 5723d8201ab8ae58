/// Reads btsnooz, in which Android's Bluetooth stack keeps its newest packets.
///
/// All numbers are little-endian. Described by Android's btsnooz.py and, for the file with a header
/// of btsnoop, by the stack's snoop_logger.cc:
///
///     block     version: 01 or 02 · time of the last record, 64 bits · zlib of the records
///     record 1  length, 16 bits · microseconds since the record before, 32 bits · type · packet
///     record 2  length, 16 bits · length before it was cut, 16 bits
///               microseconds since the record before, 32 bits · type · packet
///     type      10 event · 11 data in · 12 voice in · 17 isochronous in
///               20 command · 21 data out · 22 voice out · 2D isochronous out
///
/// A length counts the type as well. Newer stacks count one byte more in the length before a packet
/// was cut (seen in a file of Android 13 or later). There are three forms:
///
/// - the block by itself;
/// - the text of a bug report, with the block in Base64 between `--- BEGIN:BTSNOOP_LOG_SUMMARY` and
///   `--- END:BTSNOOP_LOG_SUMMARY`; of several blocks the first one with records is read, as the
///   others repeat it;
/// - a file `btsnooz_hci.log`: the header of btsnoop, then records 2 as they are, without a date.
///
/// The offsets of a block's records count the unpacked bytes.
struct SnoozParser: UnitParser, Sendable {
    private enum Form {
        case unknown
        case block
        case records
        /// The text of a bug report: between two lines, within a long line, in the block, after it.
        case lines, longLine, base64, rest
    }

    private var form = Form.unknown
    private var block = SnoozBlock()
    private var base64 = Base64Decoder()
    private var counter = RecordCounter()
    private var hasFoundBlock = false
    /// The time of the last record of a file without dates.
    private var microseconds: Int64 = 0

    /// The number of first bytes that tell the forms apart.
    private static let formLength = SnoozBlock.headerLength
    /// The maximum length of the line before a block.
    private static let lineLength = 128
    private static let begin: StaticString = "--- BEGIN:BTSNOOP_LOG_SUMMARY"

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        switch form {
        case .unknown:
            return try readForm(bytes, at: offset)
        case .block:
            try feed(bytes, into: &sink)
            return .read(bytes.count)
        case .records:
            guard let record = SnoozRecord(bytes, version: 2), record.length <= bytes.count else {
                return .needs(SnoozRecord.neededLength(bytes, version: 2))
            }
            guard record.isPossible else { throw TrafficError(.wrongLength, at: offset, found: 0) }
            // The first record counts from one that is no longer there.
            if counter.count > 0 { microseconds &+= Int64(record.delta) }
            let position = counter.next(at: offset, microseconds, into: &sink)
            record.pass(bytes, at: position, into: &sink)
            return .read(record.length)
        case .rest:
            return .read(bytes.count)
        case .base64:
            return .read(try readBase64(bytes, at: offset, into: &sink))
        case .lines, .longLine:
            return readLine(bytes)
        }
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        switch form {
        case .unknown:
            throw .cut(rest, at: offset, needs: Self.formLength)
        case .block:
            try deliver(into: &sink)
            try block.finish()
        case .records:
            guard !rest.isEmpty else { return }
            throw .cut(rest, at: offset, needs: SnoozRecord.neededLength(rest, version: 2))
        case .base64:
            try deliver(into: &sink)
            throw TrafficError(
                .truncated, at: offset + rest.count,
                hint: "the line END:BTSNOOP_LOG_SUMMARY is missing")
        case .rest:
            return
        case .lines, .longLine:
            throw TrafficError(
                .unknownContent, at: 0,
                hint: hasFoundBlock
                    ? "the btsnooz of this bug report is empty"
                    : "this bug report has no btsnooz; in its archive the log is "
                        + "FS/data/misc/bluetooth/logs/btsnoop_hci.log")
        }
    }

    private mutating func readForm(
        _ bytes: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> UnitStep {
        guard bytes.count >= Self.formLength else { return .needs(Self.formLength) }
        if bytes.has(BTSnoopFormat.magic) {
            let length = BTSnoopFormat.headerLength
            guard bytes.count >= length else { return .needs(length) }
            form = .records
            return .read(length)
        }
        if bytes[0] == 1 || bytes[0] == 2 {
            form = .block
            try block.feed(bytes.extracting(0..<Self.formLength))
            return .read(Self.formLength)
        }
        guard bytes[0] >= 0x09 else {
            throw TrafficError(
                .unknownVersion, at: offset, found: Int(bytes[0]), hint: "it is 1 or 2")
        }
        form = .lines
        return readLine(bytes)
    }

    // MARK: Blocks

    /// Unpacks bytes of the block. Its records are read once it is complete, or after an error.
    private mutating func feed(
        _ bytes: Span<UInt8>, into sink: inout some RecordSink
    ) throws(TrafficError) {
        do throws(TrafficError) {
            try block.feed(bytes)
        } catch {
            try? deliver(into: &sink)
            throw error
        }
        if block.isComplete { try deliver(into: &sink) }
    }

    private mutating func deliver(into sink: inout some RecordSink) throws(TrafficError) {
        defer { block.removeRecords() }
        try block.read(&counter, into: &sink)
    }

    // MARK: Text

    /// Reads a line before a block, or the rest of a long one.
    private mutating func readLine(_ bytes: Span<UInt8>) -> UnitStep {
        let isInside = if case .longLine = form { true } else { false }
        guard let end = Self.endOfLine(bytes, from: 0) else {
            guard isInside || bytes.count >= Self.lineLength else { return .needs(bytes.count + 1) }
            form = .longLine
            return .read(bytes.count)
        }
        form = .lines
        if !isInside, end <= Self.lineLength, Self.isBegin(bytes, at: 0) {
            form = .base64
            hasFoundBlock = true
            block = SnoozBlock()
            base64 = Base64Decoder()
        }
        return .read(end)
    }

    /// Decodes Base64 up to the end of the block; returns the number of bytes.
    private mutating func readBase64(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> Int {
        var decoded = ContiguousArray<UInt8>()
        decoded.reserveCapacity(bytes.count / 4 * 3 + 3)
        var index = 0
        var stop: UInt8?
        while index < bytes.count, stop == nil {
            if !base64.receive(bytes[index], into: &decoded) { stop = bytes[index] }
            index += 1
        }
        try feed(decoded.span, into: &sink)
        guard let stop else { return index }
        if stop == UInt8(ascii: "-") {
            form = .longLine
            if block.isEmpty { return index }
            try deliver(into: &sink)
            try block.finish()
            if counter.count > 0 { form = .rest }
            return index
        }
        try? deliver(into: &sink)
        throw TrafficError(
            .malformed, at: offset + index - 1, found: Int(stop), hint: "this is not Base64")
    }

    private static func isBegin(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        var start = start
        while start < bytes.count, bytes[start] == UInt8(ascii: " ") { start += 1 }
        return bytes.has(begin, at: start)
    }

    private static func endOfLine(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        (start..<bytes.count).first { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }
}

extension SnoozParser {
    /// The time up to which a block is recognised: the year 2112.
    private static let latestMicroseconds: UInt64 = 1 << 52

    static func isBeginning(_ bytes: Span<UInt8>) -> Bool {
        isBlock(bytes) || isFileOfRecords(bytes) || isReport(bytes)
    }

    private static func isBlock(_ bytes: Span<UInt8>) -> Bool {
        bytes.count > formLength + 1 && (bytes[0] == 1 || bytes[0] == 2)
            && bytes.uint64(at: 1, .little) < latestMicroseconds
            && Unpacker.isZlibHeader(bytes[formLength], bytes[formLength + 1])
    }

    /// `true` if records follow the header of btsnoop that cannot be those of btsnoop: the first
    /// length would be impossible there. The records must be plausible to the end of the bytes.
    private static func isFileOfRecords(_ bytes: Span<UInt8>) -> Bool {
        var start = BTSnoopFormat.headerLength
        guard bytes.has(BTSnoopFormat.magic), bytes.count >= start + 4,
            bytes.length(at: start, .big) > RecordCounter.longestPacket
        else { return false }
        while start < bytes.count,
            let record = SnoozRecord(bytes.extracting(start..<bytes.count), version: 2)
        {
            guard record.isPlausible else { return false }
            start += record.length
        }
        return start > BTSnoopFormat.headerLength
    }

    /// `true` if the bytes begin the text of a bug report, or of Android's `dumpsys`, or have the
    /// begin of a block.
    private static func isReport(_ bytes: Span<UInt8>) -> Bool {
        if bytes.has("Bluetooth Status") { return true }
        var start = 0
        while start < bytes.count {
            if bytes.has("== dumpstate: ", at: start) || isBegin(bytes, at: start) { return true }
            guard let end = endOfLine(bytes, from: start) else { return false }
            start = end
        }
        return false
    }
}

/// A block of btsnooz: the header, and the records as far as they were unpacked.
///
/// The times of records count back from the header's, so all are kept until the block ends.
struct SnoozBlock: Sendable {
    /// The maximum number of unpacked bytes. The buffers of Android's stack hold less than 1 MiB.
    static let longestBlock = 64 << 20

    private var header = ContiguousArray<UInt8>()
    private var unpacker = Unpacker(.zlib)
    private var records = ContiguousArray<UInt8>()
    /// The length of the records already read.
    private var readLength = 0

    static let headerLength = 9

    var isEmpty: Bool { header.isEmpty }
    var isComplete: Bool { unpacker.isComplete }

    mutating func feed(_ bytes: Span<UInt8>) throws(TrafficError) {
        let count = min(Self.headerLength - header.count, bytes.count)
        bytes.extracting(0..<count).withUnsafeBufferPointer { header.append(contentsOf: $0) }
        if let version = header.first, version != 1, version != 2 {
            throw TrafficError(.unknownVersion, at: 0, found: Int(version), hint: "it is 1 or 2")
        }
        var records = ContiguousArray<UInt8>()
        swap(&records, &self.records)
        defer { swap(&records, &self.records) }
        try unpacker.feed(bytes.extracting(count..<bytes.count)) { (piece) throws(TrafficError) in
            guard piece.count <= Self.longestBlock - records.count else {
                throw TrafficError(.tooMuch, at: records.count, found: Self.longestBlock)
            }
            piece.withUnsafeBufferPointer { records.append(contentsOf: $0) }
        }
    }

    /// Checks that the block is complete.
    func finish() throws(TrafficError) {
        guard header.count == Self.headerLength else {
            throw TrafficError(.truncated, at: 0, missing: Self.headerLength - header.count)
        }
        try unpacker.finish()
    }

    mutating func removeRecords() {
        readLength += records.count
        records = []
    }

    /// Passes the records to the sink, in two passes: the first one finds the time of the first
    /// record.
    func read(
        _ counter: inout RecordCounter, into sink: inout some RecordSink
    ) throws(TrafficError) {
        guard header.count == Self.headerLength, let version = header.first else { return }
        let bytes = records.span
        var time = Int64(truncatingIfNeeded: header.span.uint64(at: 1, .little))
        var end = 0
        while let record = SnoozRecord(bytes.extracting(end..<bytes.count), version: version),
            record.isPossible, record.length <= bytes.count - end
        {
            time &-= Int64(record.delta)
            end += record.length
        }
        var start = 0
        while start < end {
            let rest = bytes.extracting(start..<end)
            guard let record = SnoozRecord(rest, version: version) else { break }
            time &+= Int64(record.delta)
            let position = counter.next(at: readLength + start, time, into: &sink)
            record.pass(rest, at: position, into: &sink)
            start += record.length
        }
        guard end < bytes.count else { return }
        let rest = bytes.extracting(end..<bytes.count)
        if let record = SnoozRecord(rest, version: version), !record.isPossible {
            throw TrafficError(.wrongLength, at: readLength + end, found: 0)
        }
        let needed = SnoozRecord.neededLength(rest, version: version)
        throw .cut(rest, at: readLength + end, needs: needed)
    }
}

struct SnoozRecord {
    /// The length of the record with its header, in bytes.
    let length: Int
    /// The microseconds since the record before.
    let delta: UInt32

    private let headerLength: Int
    private let type: UInt8
    private let isCut: Bool
    /// `true` if the header can be that of a packet.
    let isPlausible: Bool

    static func headerLength(of version: UInt8) -> Int { version == 1 ? 7 : 9 }

    /// The length of a record, or that of its header until the header is complete.
    static func neededLength(_ bytes: Span<UInt8>, version: UInt8) -> Int {
        SnoozRecord(bytes, version: version)?.length ?? headerLength(of: version)
    }

    /// Reads a header; `nil` if it is not complete.
    init?(_ bytes: Span<UInt8>, version: UInt8) {
        headerLength = Self.headerLength(of: version)
        guard bytes.count >= headerLength else { return nil }
        let counted = Int(bytes.uint16(at: 0, .little))
        let original = version == 1 ? counted : Int(bytes.uint16(at: 2, .little))
        length = headerLength - 1 + counted
        delta = bytes.uint32(at: headerLength - 5, .little)
        type = bytes[headerLength - 1]
        isCut = original > counted + 1
        isPlausible = counted > 0 && original >= counted && Self.packet(type) != nil
    }

    /// `false` if the length does not even count the type.
    var isPossible: Bool { length >= headerLength }

    func pass(
        _ bytes: Span<UInt8>, at position: FilePosition, into sink: inout some RecordSink
    ) {
        if isCut { sink.note(.cutByRecorder, at: position) }
        guard let (type, direction) = Self.packet(type) else {
            return sink.note(.unknownPacket, at: position)
        }
        sink.receive(
            .hci(type, direction, adapter: 0), bytes.extracting(headerLength..<length),
            at: position)
    }

    private static func packet(_ type: UInt8) -> (HCIPacketType, HCIDirection)? {
        switch type {
        case 0x10: (.event, .toHost)
        case 0x11: (.acl, .toHost)
        case 0x12: (.synchronous, .toHost)
        case 0x17: (.isochronous, .toHost)
        case 0x20: (.command, .toController)
        case 0x21: (.acl, .toController)
        case 0x22: (.synchronous, .toController)
        case 0x2D: (.isochronous, .toController)
        default: nil
        }
    }
}

/// Decodes Base64 (RFC 4648), byte by byte. White space is ignored, and so is padding.
private struct Base64Decoder: Sendable {
    private var bits: UInt32 = 0
    private var bitCount = 0

    /// Receives a character, and appends what it completes. Returns `false` for one that is not of
    /// Base64.
    mutating func receive(_ byte: UInt8, into output: inout ContiguousArray<UInt8>) -> Bool {
        let value: UInt8
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t"),
            UInt8(ascii: "="):
            return true
        default: return false
        }
        bits = bits << 6 | UInt32(value)
        bitCount += 6
        if bitCount >= 8 {
            bitCount -= 8
            output.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        }
        return true
    }
}
