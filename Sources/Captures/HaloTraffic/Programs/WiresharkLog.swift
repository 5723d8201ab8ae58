/// Wireshark's export as plain text: summaries, details or bytes of packets, or all of these.
///
/// ```
///     622 114.330993     host      ring      ATT      28     Sent Write Request, Handle: 0x0010
///
/// Frame 622: 28 bytes on wire (224 bits), 28 bytes captured (224 bits)
///     Epoch Arrival Time: 1765790193.552815000
/// Bluetooth HCI H4
///     [Direction: Sent (0x00)]
/// Bluetooth HCI ACL Packet
///     .... 0000 0100 0001 = Connection Handle: 0x041
/// Bluetooth Attribute Protocol
///     Opcode: Write Request (0x12)
///     Handle: 0x0010 (Unknown)
///     Value: 03000000000000000000000000000003
///
/// 0000  02 41 00 17 00 13 00 04 00 12 10 00 03 00 00 00   .A..............
/// ```
///
/// The bytes decide, where they are printed: as on a UART, with their type first. Else the packet
/// is made again from the details, if these have its value: of what Wireshark knows the meaning
/// of, it prints that instead.
struct WiresharkLog: LogReader {
    static var format: TrafficFormat { .wireshark }

    private var packet = WiresharkPacket()

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        if readDump(line, &output) { return }
        var cursor = TextCursor(line)
        cursor.skipSpaces()
        if cursor.skip("Frame "), cursor.decimal() != nil, cursor.starts(with: ": ") {
            packet.end(&output)
            packet.isBegun = true
            return
        }
        guard packet.isBegun else { return }
        if cursor.skip("Epoch Arrival Time: ") || cursor.skip("Epoch Time: ") {
            HexLineTime.readSeconds(&cursor, &output.clock)
        } else if cursor.skip("[Direction: ") || cursor.skip("Point-to-Point Direction: ") {
            packet.direction = cursor.starts(with: "Sent") ? .toController : .toHost
        } else if cursor.skip(past: "= Connection Handle: ") {
            packet.link = cursor.readHandle()
        } else if cursor.starts(with: "Bluetooth Attribute Protocol") {
            packet.position = output.position
            packet.isAttribute = true
        } else if packet.isAttribute {
            readField(cursor)
        }
    }

    mutating func finish(into output: inout LogOutput) { packet.end(&output) }

    static func isCertain(_ line: ArraySlice<UInt8>) -> Bool {
        let cursor = TextCursor(line)
        return cursor.starts(with: "Frame ") && cursor.contains(" bytes on wire (")
    }

    private mutating func readField(_ cursor: TextCursor) {
        var cursor = cursor
        if cursor.starts(with: "Opcode: ") {
            packet.opcode = packet.opcode ?? cursor.code.map { UInt8(truncatingIfNeeded: $0) }
        } else if cursor.skip("Handle: ") {
            packet.handle = packet.handle ?? cursor.readHandle()
        } else if cursor.skip("Value: ") {
            packet.value = LogBytes(&cursor)
        } else if cursor.starts(with: "[UUID: "), !cursor.contains("(") {
            _ = cursor.skip("[UUID: ")
            packet.noteType(LogBytes(&cursor))
        } else if cursor.starts(with: "[UUID: "),
            let bytes = TextCursor(cursor.rest.dropLast()).uuid
        {
            packet.type = packet.type ?? bytes
        }
    }

    /// Reads a line of bytes: `0010  00 96 97 0b   ....`.
    private mutating func readDump(
        _ line: ArraySlice<UInt8>, _ output: inout LogOutput
    ) -> Bool {
        guard line.count > 6, line[line.startIndex + 4] == UInt8(ascii: " ") else { return false }
        var cursor = TextCursor(line)
        guard let number = cursor.hexadecimal(), number.digits == 4, cursor.skip("  "),
            let bytes = BtmonLine(indent: 0, text: cursor.rest).dump
        else { return false }
        if number.value == 0, packet.dump.isEmpty || !packet.isBegun {
            if !packet.isBegun || packet.hasDump { packet.end(&output) }
            packet.hasDump = true
            if !packet.isAttribute { packet.position = output.position }
        }
        let isNext = Int(number.value) == packet.dump.count && packet.hasDump
        if isNext, packet.dump.count < RecordCounter.longestPacket { packet.dump += bytes }
        return true
    }
}

struct WiresharkPacket: Sendable {
    var isBegun = false
    var isAttribute = false
    var direction: HCIDirection?
    var link: UInt16?
    var opcode: UInt8?
    var handle: UInt16?
    var value: LogBytes?
    /// The type of the attribute of the handle, in the byte order of the air.
    var type: ContiguousArray<UInt8>?
    var hasDump = false
    var dump = ContiguousArray<UInt8>()
    var position = FilePosition.start

    private var handles = WiresharkHandles()

    /// Ends the packet, and appends it if it is whole.
    mutating func end(_ output: inout LogOutput) {
        append(to: &output)
        let handles = handles
        self = WiresharkPacket()
        self.handles = handles
    }

    private mutating func append(to output: inout LogOutput) {
        if hasDump, isWholeDump {
            return output.append(packet: dump, direction ?? impliedDirection, at: position)
        }
        guard isAttribute, let opcode = opcode.flatMap(ATTOpcode.init) else { return }
        defer { handles.note(opcode, link ?? 0) }
        var bytes: ContiguousArray<UInt8> = [opcode.rawValue]
        switch opcode {
        case .writeRequest, .writeCommand, .notification, .indication:
            guard let handle else { return }
            bytes += ContiguousArray.littleEndian(UInt64(handle), count: 2)
            fallthrough
        case .readResponse:
            guard let value, !value.isCut else { return output.note(.cutByRecorder) }
            bytes += value.bytes
        case .readRequest:
            guard let handle else { return }
            bytes += ContiguousArray.littleEndian(UInt64(handle), count: 2)
        case .writeResponse, .confirmation:
            break
        default:
            return
        }
        let way = direction ?? (opcode.isFromServer ? .toHost : .toController)
        if let handle, let type, opcode != .readResponse {
            // A client sends the request, and this packet or its opposite.
            let isFromClient = !opcode.isFromServer
            for (packet, isRequest) in handles.discovery(of: handle, type, opcode, link ?? 0) {
                output.append(
                    attributes: packet, link: link ?? 0,
                    isFromClient == isRequest ? way : way.opposite,
                    at: position)
            }
        }
        output.append(attributes: bytes, link: link ?? 0, way, at: position)
    }

    /// Notes a type of 128 bits, which Wireshark prints in the order of reading.
    mutating func noteType(_ found: LogBytes?) {
        guard let found, found.bytes.count == 16 else { return }
        type = type ?? ContiguousArray(found.bytes.reversed())
    }

    /// `true` if the bytes are one packet as on a UART, by their own length.
    private var isWholeDump: Bool {
        guard dump.count > 3, let type = HCIPacketType(rawValue: dump[0]) else { return false }
        switch type {
        case .command: return dump.count == Int(dump[3]) + 4
        case .event: return dump.count == Int(dump[2]) + 3
        case .acl:
            return dump.count > 4 && dump.count == Int(dump[3]) + Int(dump[4]) << 8 + 5
        case .synchronous, .isochronous: return false
        }
    }

    /// The direction of a packet without one, by its type and its boundary bits.
    private var impliedDirection: HCIDirection {
        switch HCIPacketType(rawValue: dump[0]) {
        case .command: .toController
        case .acl: dump[2] >> 4 & 0x3 == 0 ? .toController : .toHost
        default: .toHost
        }
    }
}

private struct WiresharkHandles: Sendable {
    private struct Key: Hashable {
        var link: UInt16
        var handle: UInt16
    }

    private var known: Set<Key> = []
    private var pending: Set<UInt16> = []

    private static let most = 4096

    /// The discovery of a handle's type, as a request and its response: for each handle once, and
    /// not while another request is pending.
    mutating func discovery(
        of handle: UInt16, _ type: ContiguousArray<UInt8>, _ opcode: ATTOpcode, _ link: UInt16
    ) -> [(packet: ContiguousArray<UInt8>, isRequest: Bool)] {
        // A further request shows that the one before it is over, even without its response.
        if opcode == .writeRequest || opcode == .readRequest { pending.remove(link) }
        guard type.count == 2 || type.count == 16, !pending.contains(link), known.count < Self.most,
            !type.elementsEqual([0xFF, 0xFF]),
            known.insert(Key(link: link, handle: handle)).inserted
        else { return [] }
        let number = ContiguousArray<UInt8>.littleEndian(UInt64(handle), count: 2)
        let isShort = type.count == 2
        return [
            ([ATTOpcode.findInformationRequest.rawValue] + number + number, true),
            (
                [ATTOpcode.findInformationResponse.rawValue, isShort ? 1 : 2] + number + type,
                false
            ),
        ]
    }

    mutating func note(_ opcode: ATTOpcode, _ link: UInt16) {
        switch opcode {
        case .writeRequest, .readRequest: pending.insert(link)
        case .writeResponse, .readResponse, .errorResponse: pending.remove(link)
        default: break
        }
    }
}
