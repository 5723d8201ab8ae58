import HaloProtocol

/// Reads what `btmon` prints, of its versions since 5.35, with and without colours.
///
/// The packets are put together again, byte by byte, and go the way of binary logs. That works
/// for the attribute protocol, for links that come and go and for advertisements; the rest is
/// passed over. A packet that does not have the length that stands beside it is left out, and
/// that is noted.
struct BtmonTextParser: UnitParser {
    /// How many bytes and lines beneath a header are kept.
    static let longestPacket = (bytes: 1 << 17, lines: 1 << 12)

    private var lines = TextLines()
    private var clock = TextClock()
    private var header: BtmonHeader?
    private var place = RecordPlace(number: 0, offset: 0, microseconds: 0)
    private var text = ContiguousArray<UInt8>()
    private var ranges: ContiguousArray<(indent: Int, range: Range<Int>)> = []
    /// The last handle of each adapter, for headers that had no room for it.
    private var lastHandles: [UInt16: UInt16] = [:]

    init() {}

    static func looksLike(_ beginning: Span<UInt8>) -> Bool {
        TextLines.first(64, of: beginning).contains {
            BtmonHeader.isLikely(TextLines.withoutColours($0)[...])
        }
    }

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        let step = try lines.take(bytes, at: offset)
        if lines.isWhole { read(into: &sink) }
        return step
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if rest.count > 0 { _ = try lines.take(rest, at: offset, isLast: true) }
        if lines.isWhole {
            read(into: &sink)
        } else if !lines.text.isEmpty {
            // A line without its end may have been cut off: half a number is another number.
            end(areAll: false, into: &sink)
            sink.note(.unfinishedPacket, at: nextPlace(lines.offset))
        }
        end(areAll: false, into: &sink)
    }

    private func nextPlace(_ offset: Int) -> RecordPlace {
        RecordPlace(
            number: place.number + 1, offset: offset, microseconds: clock.microseconds)
    }

    private mutating func read(into sink: inout some RecordSink) {
        let line = TextLines.withoutColours(lines.text)
        let offset = lines.offset
        let isTooLong = lines.isTooLong
        lines.removeLine()
        guard let first = line.first else { return }
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            if isTooLong { sink.note(.beyondLimits, at: place) }
            return append(line, into: &sink)
        }
        end(areAll: true, into: &sink)
        guard let header = BtmonHeader(line[...], &clock) else {
            if !TextCursor(line[...]).starts(with: "Bluetooth monitor ver") {
                sink.note(.unknownLine, at: nextPlace(offset))
            }
            return
        }
        place = RecordPlace(
            number: place.number + (header.kind == .other ? 0 : 1), offset: offset,
            microseconds: clock.microseconds)
        self.header = header
    }

    /// Keeps a line beneath a header.
    private mutating func append(
        _ line: ContiguousArray<UInt8>, into sink: inout some RecordSink
    ) {
        guard let header, header.kind != .other else { return }
        guard text.count + line.count <= Self.longestPacket.bytes,
            ranges.count < Self.longestPacket.lines
        else {
            sink.note(.beyondLimits, at: place)
            return self.header = nil
        }
        let indent = line.prefix { $0 == UInt8(ascii: " ") }.count
        let start = text.count
        text.append(contentsOf: line[indent...])
        ranges.append((indent, start..<text.count))
    }

    /// Ends the packet that is open; whether all of its lines are there.
    private mutating func end(areAll: Bool, into sink: inout some RecordSink) {
        guard let header else { return clear() }
        let packet = text[...]
        let beneath = ranges.map { BtmonLine(indent: $0.indent, text: packet[$0.range]) }
        switch header.kind {
        case .acl(let handle, let flags):
            if let handle { lastHandles[header.adapter] = handle }
            endData(header, handle ?? lastHandles[header.adapter], flags, beneath, into: &sink)
        case .event(let code):
            switch BtmonEvent.event(code, beneath[...], areAll: areAll) {
            case .none:
                break
            case .incomplete:
                sink.note(.cutByRecorder, at: place)
            case .event(let bytes):
                if let handle = Self.newHandle(bytes) { lastHandles[header.adapter] = handle }
                let kind = RecordKind.hci(.event, header.direction, adapter: header.adapter)
                sink.take(kind, bytes.span, at: place)
            }
        case .command(let opcode):
            if let bytes = BtmonCommand.command(opcode, BtmonFields(lines: beneath[...])) {
                let kind = RecordKind.hci(.command, header.direction, adapter: header.adapter)
                sink.take(kind, bytes.span, at: place)
            }
        case .index(let address, let name):
            // Its kind, which bus it is on, the address, the name in eight bytes.
            var bytes: ContiguousArray<UInt8> = [0, 0]
            bytes.append(contentsOf: address)
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: repeatElement(0, count: 16 - min(bytes.count, 16)))
            sink.take(.monitor(opcode: 0, adapter: header.adapter), bytes.span, at: place)
        case .other:
            break
        }
        clear()
    }

    private mutating func clear() {
        header = nil
        text.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
    }

    /// The handle of a link that has come up.
    private static func newHandle(_ event: ContiguousArray<UInt8>) -> UInt16? {
        guard event.count > 5, event[0] == 0x3E, event[2] == 0x01 || event[2] == 0x0A,
            event[3] == 0
        else { return nil }
        return UInt16(event[4]) | UInt16(event[5]) << 8
    }

    private func endData(
        _ header: BtmonHeader, _ handle: UInt16?, _ flags: UInt8, _ lines: [BtmonLine],
        into sink: inout some RecordSink
    ) {
        let kind = RecordKind.hci(.acl, header.direction, adapter: header.adapter)
        for packet in BtmonChannel.packets(lines) {
            guard let handle, let bytes = packet.data(handle: handle, flags: flags) else {
                sink.note(.cutByRecorder, at: place)
                continue
            }
            sink.take(kind, bytes.span, at: place)
        }
    }
}
