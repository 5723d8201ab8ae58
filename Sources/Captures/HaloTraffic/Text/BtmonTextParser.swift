/// Reads the output of `btmon` from version 5.35 to 5.87, with or without colours.
///
/// The packets are re-encoded, byte by byte, and decoded like those of binary logs: those of the
/// attribute protocol, of new and ended links, and advertisements. Others are skipped. A packet
/// that does not have its printed length is left out and noted.
struct BtmonTextParser: TextLineParser {
    /// The maximum numbers of bytes and of lines beneath a header.
    static let longestPacket = (bytes: 1 << 17, lines: 1 << 12)

    /// The indentation of the first line beneath the header of a packet of data.
    private static let indent = 6
    /// The handle of packets whose handle was cut, and of which no other is known: the number of no
    /// connection.
    private static let cutHandle: UInt16 = 0x0FFF

    var lines = TextLines()
    private var clock = TextClock()
    private var header: BtmonHeader?
    private var position = FilePosition.start
    private var text = ContiguousArray<UInt8>()
    private var ranges: ContiguousArray<(indent: Int, range: Range<Int>)> = []
    /// The last handle of each adapter, for headers with a cut handle.
    private var lastHandles: [UInt16: UInt16] = [:]

    static func looksLike(_ lines: [ContiguousArray<UInt8>]) -> Bool {
        lines.contains { BtmonHeader.isLikely(TextLines.withoutColours($0)[...]) }
    }

    mutating func finish(into sink: inout some RecordSink) {
        end(areAll: false, into: &sink)
    }

    private var nextPosition: FilePosition {
        FilePosition(
            number: position.number + 1, offset: lines.offset, microseconds: clock.microseconds)
    }

    mutating func readLine(into sink: inout some RecordSink) {
        guard lines.isWhole else {
            // Half a number would be a wrong number.
            end(areAll: false, into: &sink)
            return sink.note(.unfinishedPacket, at: nextPosition)
        }
        defer { lines.removeLine() }
        let line = TextLines.withoutColours(lines.text)
        guard let first = line.first else { return }
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            if lines.isTooLong { sink.note(.beyondLimits, at: position) }
            guard let header, header.kind != .other else { return }
            guard text.count + line.count <= Self.longestPacket.bytes,
                ranges.count < Self.longestPacket.lines
            else {
                sink.note(.beyondLimits, at: position)
                return self.header = nil
            }
            let indent = line.prefix { $0 == UInt8(ascii: " ") }.count
            let start = text.count
            text.append(contentsOf: line[indent...])
            return ranges.append((indent, start..<text.count))
        }
        end(areAll: true, into: &sink)
        guard let header = BtmonHeader(line[...], &clock) else {
            if !TextCursor(line[...]).starts(with: "Bluetooth monitor ver") {
                sink.note(.unknownLine, at: nextPosition)
            }
            return
        }
        position = FilePosition(
            number: position.number + (header.kind == .other ? 0 : 1), offset: lines.offset,
            microseconds: clock.microseconds)
        self.header = header
        if header.isUnknown { sink.note(.unknownLine, at: nextPosition) }
    }

    /// Ends the open packet; `areAll` is `false` if lines of it may be missing.
    private mutating func end(areAll: Bool, into sink: inout some RecordSink) {
        guard let header else { return clear() }
        let packet = text[...]
        // Where a log was quoted, all lines are further to the right.
        var excess = 0
        if case .acl = header.kind { excess = (ranges.first?.indent ?? 0) - Self.indent }
        let beneath = ranges.map { BtmonLine(indent: $0.indent - excess, text: packet[$0.range]) }
        switch header.kind {
        case .acl(let handle, let flags):
            if let handle { lastHandles[header.adapter] = handle }
            let known = handle ?? lastHandles[header.adapter] ?? Self.cutHandle
            for packet in BtmonAttribute.packets(beneath) {
                switch packet {
                case .none: sink.note(.otherBearer, at: position)
                case .incomplete: put(.acl, header, nil, into: &sink)
                case .packet(let bytes):
                    let data = BtmonAttribute.data(bytes, handle: known, flags: flags)
                    put(.acl, header, data, into: &sink)
                }
            }
        case .event(let code):
            switch BtmonPacket.event(code, beneath[...], areAll: areAll) {
            case .none:
                break
            case .incomplete:
                put(.event, header, nil, into: &sink)
            case .packet(let bytes):
                if let handle = Self.newHandle(bytes) { lastHandles[header.adapter] = handle }
                put(.event, header, bytes, into: &sink)
            }
        case .command(let opcode):
            if let bytes = BtmonPacket.command(opcode, BtmonFields(lines: beneath[...])) {
                put(.command, header, bytes, into: &sink)
            }
        case .index(let address, let name):
            // The type, the bus, the address, then the name in eight bytes.
            var bytes: ContiguousArray<UInt8> = [0, 0]
            bytes.append(contentsOf: address)
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: repeatElement(0, count: 16 - bytes.count))
            sink.receive(.monitor(opcode: 0, adapter: header.adapter), bytes.span, at: position)
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

    /// The handle in the event of a new link; `nil` for other events.
    private static func newHandle(_ event: ContiguousArray<UInt8>) -> UInt16? {
        guard event.count > 5, event[0] == 0x3E, event[2] == 0x01 || event[2] == 0x0A,
            event[3] == 0
        else { return nil }
        return UInt16(event[4]) | UInt16(event[5]) << 8
    }

    /// Passes on a packet of the current header, or notes that it was cut.
    private func put(
        _ type: HCIPacketType, _ header: BtmonHeader, _ bytes: ContiguousArray<UInt8>?,
        into sink: inout some RecordSink
    ) {
        guard let bytes else { return sink.note(.cutByRecorder, at: position) }
        let kind = RecordKind.hci(type, header.direction, adapter: header.adapter)
        sink.receive(kind, bytes.span, at: position)
    }
}

/// The line that begins a packet in the output of `btmon`.
///
///     > ACL Data RX: Handle 42 flags 0x02 dlen 9                  #26 [hci0] 2.586632
///     > LE-ACL: Handle 42 [C0:A1:62:1B:93:45] [1/10] flags 0x02 dlen 9  #26 [hci0] 2.586632
///     < HCI Command: LE Set Scan Enable (0x08|0x000c) plen 2       #5 [hci0] 2.463308
///     > HCI Event: LE Meta Event (0x3e) plen 40            2015-12-10 11:32:26.902957
///
/// The name of the sending process before the line is skipped. Two points replace text that did not
/// fit into the terminal: the end of an event's name, and also the handle.
private struct BtmonHeader: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Data of a connection with its flags; the handle is `nil` if it was cut.
        case acl(handle: UInt16?, flags: UInt8)
        case event(UInt8)
        case command(UInt16)
        /// A new adapter with its name, and its address in the byte order of the air.
        case index(address: ContiguousArray<UInt8>, name: ContiguousArray<UInt8>)
        /// Any other line, such as voice data or a note.
        case other
    }

    private static let skippedLabels: [StaticString] = [
        "SCO", "ISO", "LE-ISO", "BR-SCO", "BR-ESCO", "HCI Command", "HCI Event", "Vendor",
    ]

    let kind: Kind
    let direction: HCIDirection
    let adapter: UInt16
    /// `true` if the line has a sign for packets and a label that is not known here.
    let isUnknown: Bool

    /// Reads a header line with its time; `nil` for other lines.
    init?(_ line: ArraySlice<UInt8>, _ clock: inout TextClock) {
        guard var cursor = Self.start(line) else { return nil }
        let isToHost = cursor.starts(with: ">")
        direction = isToHost ? .toHost : .toController
        guard isToHost || cursor.starts(with: "<") else {
            kind = Self.index(cursor) ?? .other
            adapter = kind == .other ? 0 : Self.tail(line, &clock)
            isUnknown = false
            return
        }
        cursor.skipByte()
        cursor.skipSpaces()
        kind = Self.kind(cursor)
        adapter = Self.tail(line, &clock)
        isUnknown = kind == .other && !Self.skippedLabels.contains { cursor.starts(with: $0) }
    }

    /// The line from its sign on; `nil` without a sign.
    private static func start(_ line: ArraySlice<UInt8>) -> TextCursor? {
        let signs: [StaticString] = ["> ", "< ", "= ", "@ "]
        let cursor = TextCursor(line)
        if signs.contains(where: { cursor.starts(with: $0) }) { return cursor }
        guard let first = line.first, TextCursor.isLetter(first) else { return nil }
        var process = cursor
        guard process.skip(past: "]: "), signs.contains(where: { process.starts(with: $0) })
        else { return nil }
        let name = line.prefix { $0 != UInt8(ascii: " ") }
        return name.contains(UInt8(ascii: "[")) ? process : nil
    }

    /// `= New Index: 00:AA:01:01:00:01 (Primary,Virtual,hci1)`
    private static func index(_ cursor: TextCursor) -> Kind? {
        var cursor = cursor
        guard cursor.skip("= New Index: "), let address = cursor.address, cursor.skip(past: "("),
            let close = cursor.rest.firstIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let words = cursor.rest[..<close].split(separator: UInt8(ascii: ","))
        guard let name = words.last, name.count <= 8 else { return nil }
        return .index(address: address, name: ContiguousArray(name))
    }

    /// `LE Set Random Address (0x08|0x0005)`
    private static func command(_ cursor: TextCursor) -> Kind {
        var cursor = cursor
        guard cursor.skip(past: "(0x"), let group = cursor.byte(), cursor.skip("|0x"),
            let number = cursor.hexadecimal()?.value, number < 1 << 10
        else { return .other }
        return .command(UInt16(group) << 10 | UInt16(truncatingIfNeeded: number))
    }

    private static func kind(_ cursor: TextCursor) -> Kind {
        var cursor = cursor
        if cursor.starts(with: "HCI Command") { return command(cursor) }
        if cursor.skip("ACL") || cursor.skip("LE-ACL") || cursor.skip("BR-ACL") {
            var handle = cursor
            let number = handle.skip(past: "Handle ") ? handle.decimal() : nil
            guard cursor.skip(past: " flags 0x"), let flags = cursor.byte() else { return .other }
            return .acl(
                handle: number.flatMap { UInt16(exactly: $0) }.map { $0 & 0x0FFF },
                flags: flags & 0x0F)
        }
        guard cursor.skip("HCI Event"), cursor.skip(past: "(0x"), let code = cursor.byte(),
            cursor.skip(") plen ")
        else { return .other }
        return .event(code)
    }

    /// Reads the number, adapter and time at the end of the line, and returns the adapter.
    private static func tail(_ line: ArraySlice<UInt8>, _ clock: inout TextClock) -> UInt16 {
        var words = line.split(separator: UInt8(ascii: " ")).suffix(4)
        guard let last = words.popLast() else { return 0 }
        var cursor = TextCursor(last)
        if let time = TextClock.timeOfDay(&cursor) {
            if let word = words.last {
                var date = TextCursor(word)
                if let day = TextClock.date(&date) {
                    words.removeLast()
                    clock.set(day: day, timeOfDay: time)
                } else {
                    clock.set(timeOfDay: time)
                }
            }
        } else if let seconds = cursor.decimal(), seconds < 1 << 40,
            let fraction = TextClock.fraction(&cursor)
        {
            clock.microseconds = Int64(seconds) * 1_000_000 + fraction
        }
        guard let word = words.last else { return 0 }
        var adapter = TextCursor(word)
        guard adapter.skip("[hci"), let number = adapter.decimal() else { return 0 }
        return UInt16(exactly: number) ?? 0
    }

    /// `true` for a header, or the first line of `btmon`.
    static func isLikely(_ line: ArraySlice<UInt8>) -> Bool {
        if TextCursor(line).starts(with: "Bluetooth monitor ver") { return true }
        guard let cursor = start(line) else { return false }
        let words: [StaticString] = [
            "> HCI Event: ", "< HCI Command: ", "> ACL Data RX: ", "< ACL Data TX: ", "> ACL: ",
            "< ACL: ", "> LE-ACL: ", "< LE-ACL: ", "> BR-ACL: ", "< BR-ACL: ", "@ MGMT ",
            "= New Index: ", "= Open Index: ", "= Index Info: ",
        ]
        return words.contains { cursor.starts(with: $0) }
    }
}
