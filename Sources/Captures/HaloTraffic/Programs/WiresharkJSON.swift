/// Wireshark's export as JSON, with a member on each line, as Wireshark and tshark write it.
///
/// ```
/// "frame.time_epoch": "1737575872.613666000",
/// "hci_h4.direction": "0x00",
/// "bthci_acl.chandle": "0x0003",
/// "btatt.opcode": "0x12",
/// "btatt.handle": "0x0010",
/// "btatt.value": "03:00:00"
/// ```
///
/// With `-x` the whole packet is there, as `frame_raw`, and decides.
struct WiresharkJSON: LogReader {
    static var format: TrafficFormat { .wiresharkJSON }

    private var packet = WiresharkPacket()
    /// `true` if the next line has the bytes of the packet.
    private var isRaw = false

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout LogOutput) {
        var cursor = TextCursor(line)
        cursor.skipSpaces()
        if isRaw {
            isRaw = false
            return readRaw(cursor)
        }
        guard cursor.skip("\"") else { return }
        if cursor.skip("_source\"") {
            packet.end(&output)
            packet.isBegun = true
        }
        guard packet.isBegun else { return }
        if cursor.skip("frame_raw\": [") {
            cursor.skipSpaces()
            if cursor.next == nil { isRaw = true } else { readRaw(cursor) }
        } else if cursor.skip("frame.time_epoch\": \"") {
            HexLineTime.readSeconds(&cursor, &output.clock)
        } else if cursor.skip("hci_h4.direction\": \"") || cursor.skip("frame.p2p_dir\": \"") {
            packet.direction =
                cursor.starts(with: "0x00") || cursor.starts(with: "0\"")
                ? .toController : .toHost
        } else if cursor.skip("bthci_acl.chandle\": \"") {
            packet.link = cursor.readHandle()
        } else if cursor.skip("btatt.") {
            packet.position = output.position
            packet.isAttribute = true
            readField(cursor)
        }
    }

    mutating func finish(into output: inout LogOutput) { packet.end(&output) }

    static func isCertain(_ line: ArraySlice<UInt8>) -> Bool {
        TextCursor(line).contains("\"frame.protocols\": \"")
    }

    private mutating func readRaw(_ cursor: TextCursor) {
        var cursor = cursor
        _ = cursor.skip("\"")
        guard let found = LogBytes(&cursor), cursor.skip("\"") else { return }
        packet.dump = found.bytes
        packet.hasDump = true
    }

    private mutating func readField(_ cursor: TextCursor) {
        var cursor = cursor
        if cursor.skip("opcode\": \"0x") {
            packet.opcode = packet.opcode ?? cursor.byte()
        } else if cursor.skip("handle\": \"") {
            packet.handle = packet.handle ?? cursor.readHandle()
        } else if cursor.skip("value\": \"") {
            packet.value = LogBytes(&cursor) ?? LogBytes(bytes: [])
        } else if cursor.skip("characteristic_configuration_client\": \"0x") {
            packet.value = cursor.hexadecimal().map {
                LogBytes(bytes: .littleEndian($0.value, count: 2))
            }
        } else if cursor.skip("uuid16\": \"0x") {
            let number = cursor.hexadecimal()?.value
            packet.type = packet.type ?? number.map { .littleEndian($0, count: 2) }
        } else if cursor.skip("uuid128\": \"") {
            packet.noteType(LogBytes(&cursor))
        }
    }
}
