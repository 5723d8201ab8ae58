import HaloProtocol

/// The line that begins a packet in what `btmon` prints.
///
///     > ACL Data RX: Handle 42 flags 0x02 dlen 9                  #26 [hci0] 2.586632
///     < HCI Command: LE Set Scan Enable (0x08|0x000c) plen 2       #5 [hci0] 2.463308
///     > HCI Event: LE Meta Event (0x3e) plen 40            2015-12-10 11:32:26.902957
///
/// Where the name of the process that sent it precedes the line, it is passed over. What did not
/// fit into the terminal is cut with two points: the name of an event, and the handle too.
struct BtmonHeader: Hashable, Sendable {
    /// What the packet is.
    enum Kind: Hashable, Sendable {
        /// Data of a connection; the handle, unless it was cut, and its flags.
        case acl(handle: UInt16?, flags: UInt8)
        /// An event of the controller, by its code.
        case event(UInt8)
        /// A command to the controller, by its opcode.
        case command(UInt16)
        /// An adapter is there: its address, in the order of the air, and its name.
        case index(address: ContiguousArray<UInt8>, name: ContiguousArray<UInt8>)
        /// Anything else: voice, a note.
        case other
    }

    let kind: Kind
    let direction: HCIDirection
    let adapter: UInt16

    /// Reads the line, if it is one, and its time.
    init?(_ line: ArraySlice<UInt8>, _ clock: inout TextClock) {
        guard var cursor = Self.start(line) else { return nil }
        let isToHost = cursor.starts(with: ">")
        direction = isToHost ? .toHost : .toController
        guard isToHost || cursor.starts(with: "<") else {
            kind = Self.index(cursor) ?? .other
            adapter = kind == .other ? 0 : Self.tail(line, &clock)
            return
        }
        cursor.skipByte()
        cursor.skipSpaces()
        kind = Self.kind(cursor)
        adapter = Self.tail(line, &clock)
    }

    /// The line from its sign on, if there is one.
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
        if cursor.skip("ACL") {
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

    /// Reads number, adapter and time at the end of the line.
    private static func tail(_ line: ArraySlice<UInt8>, _ clock: inout TextClock) -> UInt16 {
        var words = line.split(separator: UInt8(ascii: " ")).suffix(4)
        guard let last = words.popLast() else { return 0 }
        var cursor = TextCursor(last)
        if let time = TextClock.timeOfDay(&cursor) {
            if let word = words.last {
                var date = TextCursor(word)
                if let day = TextClock.date(&date) {
                    words.removeLast()
                    clock.day = day
                    clock.set(Int64(day) * TextClock.microsecondsPerDay + time)
                } else {
                    clock.set(timeOfDay: time)
                }
            }
        } else if let seconds = cursor.decimal(), seconds < 1 << 40,
            let fraction = TextClock.fraction(&cursor)
        {
            clock.set(Int64(seconds) * 1_000_000 + fraction)
        }
        guard let word = words.last else { return 0 }
        var adapter = TextCursor(word)
        guard adapter.skip("[hci"), let number = adapter.decimal() else { return 0 }
        return UInt16(exactly: number) ?? 0
    }
}

extension BtmonHeader {
    /// Whether a line is one of those that `btmon` begins with, or a header.
    static func isLikely(_ line: ArraySlice<UInt8>) -> Bool {
        var cursor = TextCursor(line)
        if cursor.starts(with: "Bluetooth monitor ver") { return true }
        guard let start = start(line) else { return false }
        cursor = start
        let words: [StaticString] = [
            "> HCI Event: ", "< HCI Command: ", "> ACL Data RX: ", "< ACL Data TX: ", "> ACL: ",
            "< ACL: ", "@ MGMT ", "= New Index: ", "= Open Index: ", "= Index Info: ",
        ]
        return words.contains { cursor.starts(with: $0) }
    }
}
