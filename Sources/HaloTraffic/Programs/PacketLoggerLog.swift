import HaloCapture
import HaloProtocol

/// The text that Apple's PacketLogger exports.
///
/// ```
/// Jun 08 09:43:53.416  HCI Event     0x005E  C4:64:…  LE - Connection Complete - …  3E 13 01 00 …
/// Jun 08 09:43:54.737  ATT Receive   0x0041  C4:64:…  Handle Value Notification - Handle:0x000E -
///     FEE1 - Value: 02FD 1300  41 20 0B 00 07 00 04 00 1B 0E 00 02 FD 13 00
///  L2CAP Receive    0x0041  RECV  Channel ID: 0x0004  Length: 0x0007 (07) [ 1B 0E 00 02 FD 13 00 ]
/// ```
///
/// A packet of the attribute protocol is taken from the raw column, which is the last one, else
/// from the line of its L2CAP packet, else from the words for people. All of them may be cut.
struct PacketLoggerLog: LogReader {
    /// A packet of the attribute protocol whose L2CAP line may follow.
    private struct Packet {
        var link: UInt16
        var direction: HCIDirection
        /// The packet by the words, or `nil` if they do not have all of it.
        var bytes: ContiguousArray<UInt8>?
        /// `true` if the packet has a value.
        var hasValue: Bool
        var position: LogOutput.Position
    }

    private var packet: Packet?

    private static let months: [StaticString] = [
        "Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ",
        "Dec ",
    ]
    /// The packets that are made again from their words, and before them those that are not,
    /// although their words contain the words of others.
    private static let packets: [(words: StaticString, opcode: ATTOpcode?)] = [
        ("Multiple Handle Value", nil), ("Prepare Write", nil), ("Execute Write", nil),
        ("Handle Value Notification", .notification), ("Handle Value Indication", .indication),
        ("Handle Value Confirmation", .confirmation), ("Signed Write Command", .signedWriteCommand),
        ("Write Command", .writeCommand), ("Write Request", .writeRequest),
        ("Write Response", .writeResponse), ("Read Request", .readRequest),
        ("Read Response", .readResponse),
    ]

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        var cursor = TextCursor(line)
        cursor.skipSpaces()
        let hasTime = Self.readTime(&cursor, &output.clock)
        cursor.skipSpaces()
        if cursor.skip("L2CAP Receive ") || cursor.skip("L2CAP Send ") {
            return readChannel(cursor, &output)
        }
        guard hasTime else { return }
        settle(&output)
        if cursor.skip("HCI Event ") {
            if let raw = Self.raw(cursor), raw.count > 2, raw.count == Int(raw[1]) + 2 {
                output.append(packet: [HCIPacketType.event.rawValue] + raw, .toHost)
            }
        } else if cursor.skip("ATT Receive ") {
            readPacket(cursor, .toHost, &output)
        } else if cursor.skip("ATT Send ") {
            readPacket(cursor, .toController, &output)
        }
    }

    mutating func finish(into output: inout LogOutput) { settle(&output) }

    private mutating func readPacket(
        _ cursor: TextCursor, _ direction: HCIDirection, _ output: inout LogOutput
    ) {
        if let raw = Self.raw(cursor), raw.count > 4,
            Int(raw[2]) | Int(raw[3]) << 8 == raw.count - 4
        {
            return output.append(packet: [HCIPacketType.acl.rawValue] + raw, direction)
        }
        var cursor = cursor
        cursor.skipSpaces()
        guard let link = cursor.readHandle() else { return }
        let (bytes, hasValue) = Self.bytes(cursor)
        packet = Packet(
            link: link, direction: direction, bytes: bytes, hasValue: hasValue,
            position: output.position)
    }

    /// Reads the L2CAP packet of the last packet of the attribute protocol.
    private mutating func readChannel(_ cursor: TextCursor, _ output: inout LogOutput) {
        var cursor = cursor
        guard packet != nil, cursor.skip(past: "Channel ID: 0x0004"), cursor.skip(past: "Length: "),
            cursor.skip("0x"), let length = cursor.hexadecimal()?.value,
            cursor.skip(past: "[ "), let found = LogBytes(&cursor),
            found.bytes.count == Int(exactly: length)
        else { return settle(&output) }
        packet?.bytes = found.bytes
        settle(&output)
    }

    /// Appends the last packet, once no line can follow that has more of it.
    private mutating func settle(_ output: inout LogOutput) {
        guard let packet else { return }
        self.packet = nil
        guard let bytes = packet.bytes else {
            if packet.hasValue { output.note(.cutByRecorder) }
            return
        }
        output.append(
            attributes: bytes, link: packet.link, packet.direction, at: packet.position)
    }

    // MARK: Columns

    /// The packet by its words, and whether it has a value.
    private static func bytes(
        _ cursor: TextCursor
    ) -> (bytes: ContiguousArray<UInt8>?, hasValue: Bool) {
        guard let known = packets.first(where: { cursor.contains($0.words) }) else {
            return (nil, false)
        }
        guard let opcode = known.opcode else { return (nil, true) }
        var bytes: ContiguousArray<UInt8> = [opcode.rawValue]
        var rest = cursor
        if opcode != .readResponse, opcode.minimumLength > 1 {
            guard rest.skip(past: "Handle:"), let handle = rest.readHandle() else {
                return (nil, true)
            }
            bytes += ContiguousArray.littleEndian(UInt64(handle), count: 2)
        }
        switch opcode {
        case .writeResponse, .readRequest, .confirmation: return (bytes, false)
        default: break
        }
        guard rest.skip(past: "Value: "), let found = LogBytes(&rest), !found.isCut else {
            return (nil, true)
        }
        return (bytes + found.bytes, true)
    }

    /// The bytes of the last column: the last of those that two spaces separate.
    private static func raw(_ cursor: TextCursor) -> ContiguousArray<UInt8>? {
        var text = cursor.rest
        while let last = text.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
            text.removeLast()
        }
        var start = text.endIndex
        while start > text.startIndex + 1 {
            start -= 1
            let isGap = text[start] == UInt8(ascii: " ") && text[start - 1] == UInt8(ascii: " ")
            guard isGap || text[start] == UInt8(ascii: "\t") else { continue }
            var column = TextCursor(text[(start + 1)...])
            guard let found = LogBytes(&column), column.next == nil else { return nil }
            return found.bytes
        }
        return nil
    }

    /// Reads `Jun 08 09:43:53.416`. There is no year, so the date is left out.
    private static func readTime(_ cursor: inout TextCursor, _ clock: inout TextClock) -> Bool {
        var copy = cursor
        guard months.contains(where: { copy.skip($0) }), copy.decimal(digits: 2) != nil,
            copy.skip(" "), let time = TextClock.timeOfDay(&copy)
        else { return false }
        clock.set(timeOfDay: time)
        cursor = copy
        return true
    }
}
