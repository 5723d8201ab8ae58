import HaloProtocol

/// A packet of a logical channel, re-encoded from the output of `btmon`.
struct BtmonChannel {
    /// The channel's number.
    let channel: UInt16
    /// The payload, or `nil` if not all of it was printed.
    let payload: ContiguousArray<UInt8>?

    /// The channel number of the attribute protocol.
    static let attributes: UInt16 = 0x0004
    /// The channel number of the signalling that opens other channels.
    private static let signalling: UInt16 = 0x0005

    /// The packets in the lines beneath a header: usually one.
    static func packets(_ lines: [BtmonLine]) -> [BtmonChannel] {
        var packets: [BtmonChannel] = []
        var dynamic: (channel: UInt16, unit: UInt64?)?
        for index in lines.indices where isBeginning(lines[index]) {
            let line = lines[index]
            let beneath = lines[(index + 1)...].prefix { !isBeginning($0) }
            if var cursor = line.value("Channel:"), let number = cursor.decimal() {
                let unit = cursor.skip(past: " sdu ") ? cursor.decimal().map(UInt64.init) : nil
                dynamic = UInt16(exactly: number).map { ($0, unit) }
                continue
            }
            switch BtmonAttribute.packet(line, beneath) {
            case .none:
                if let signal = signal(line, beneath) {
                    packets.append(BtmonChannel(channel: signalling, payload: signal))
                }
            case .incomplete:
                packets.append(
                    BtmonChannel(channel: dynamic?.channel ?? attributes, payload: nil))
            case .packet(let bytes):
                var payload = bytes
                if let unit = dynamic?.unit { payload = .littleEndian(unit, count: 2) + bytes }
                packets.append(
                    BtmonChannel(channel: dynamic?.channel ?? attributes, payload: payload))
            }
        }
        return packets
    }

    /// `true` for a line that begins a packet, or names the channel of the next one.
    private static func isBeginning(_ line: BtmonLine) -> Bool {
        line.indent <= 6
            && (line.value("ATT:") ?? line.value("LE L2CAP:") ?? line.value("Channel:")) != nil
    }

    /// The request for a channel with credits, or its response. Such a channel may carry
    /// attributes.
    private static func signal(
        _ line: BtmonLine, _ beneath: ArraySlice<BtmonLine>
    ) -> ContiguousArray<UInt8>? {
        guard var cursor = line.value("LE L2CAP:"), cursor.skip(past: "(0x"),
            let code = cursor.byte(), cursor.skip(") ident "), let number = cursor.decimal(),
            let identifier = UInt8(exactly: number), cursor.skip(" len 10")
        else { return nil }
        let fields = BtmonFields(lines: beneath)
        let parts: [ContiguousArray<UInt8>?]
        switch code {
        case 0x14:
            parts = [
                fields.code("PSM:", count: 2), fields.number("Source CID:"),
                fields.number("MTU:"), fields.number("MPS:"), fields.number("Credits:"),
            ]
        case 0x15:
            parts = [
                fields.number("Destination CID:"), fields.number("MTU:"),
                fields.number("MPS:"), fields.number("Credits:"), fields.code("Result:", count: 2),
            ]
        default:
            return nil
        }
        return ContiguousArray.concatenated([[code, identifier, 10, 0]] + parts)
    }

    /// The packet as one ACL packet; `nil` if it is incomplete or too long.
    func data(handle: UInt16, flags: UInt8) -> ContiguousArray<UInt8>? {
        // The lower two bits of the flags: 1 continues a packet, 0 and 2 begin one.
        let first: UInt8 = flags & 0b11 == 1 ? 2 : flags & 0b11
        guard let payload, payload.count <= Int(UInt16.max) - 4 else { return nil }
        var start = UInt64(handle) | UInt64(first) << 12
        start |= UInt64(payload.count + 4) << 16
        start |= UInt64(payload.count) << 32
        start |= UInt64(channel) << 48
        var data = ContiguousArray.littleEndian(start, count: 8)
        data.append(contentsOf: payload)
        return data
    }
}

/// A packet of the attribute protocol, re-encoded from the output of `btmon`.
///
///     ATT: Handle Value Notification (0x1b) len 18
///       Handle: 0x0022 Type: Nordic UART RX (6e400003-b5a3-f393-e0a9-e50e24dcca9e)
///         Data: 03520000000000000000000000000055
///
/// Fields are printed in the order of the wire, except for multiple notifications. The printed
/// length shows where the fields end: later lines explain a value.
private struct BtmonAttribute {
    private let opcode: UInt8
    private let length: Int
    private var packet: ContiguousArray<UInt8>
    private var notifiedLength: ContiguousArray<UInt8>?

    /// The packet printed by a line and the lines beneath it.
    static func packet(_ line: BtmonLine, _ beneath: ArraySlice<BtmonLine>) -> Outcome {
        guard var cursor = line.value("ATT:"), cursor.skip(past: "(0x"),
            let opcode = cursor.byte(), cursor.skip(") len "), let length = cursor.decimal()
        else { return .none }
        guard length < 1 << 16 else { return .incomplete }
        var attribute = BtmonAttribute(opcode: opcode, length: length, packet: [opcode])
        for line in beneath where attribute.packet.count <= length {
            attribute.append(line)
        }
        if attribute.packet.count == length + 1 { return .packet(attribute.packet) }
        let dump = BtmonFields(lines: beneath).dump
        return dump.count == length ? .packet([opcode] + dump) : .incomplete
    }

    /// The result of a line.
    enum Outcome {
        /// The line is not a packet of the attribute protocol.
        case none
        /// The packet was not printed completely.
        case incomplete
        /// The packet.
        case packet(ContiguousArray<UInt8>)
    }

    private mutating func append(_ line: BtmonLine) {
        guard line.indent <= 10 else { return }
        if let range = line.value("Handle range:") {
            append(range: range)
        } else if let handle = line.value("Handle:") {
            append(number: handle, digits: 4)
            if let notifiedLength { packet += notifiedLength }
            notifiedLength = nil
        } else if let offset = line.value("Offset:") {
            append(number: offset, digits: 4)
        } else if let count = line.value("Length:"), let code = count.plainCode {
            let bytes = ContiguousArray.littleEndian(code, count: 2)
            if opcode == ATTOpcode.multipleNotifications.rawValue, notifiedLength == nil {
                notifiedLength = bytes
            } else {
                packet += bytes
            }
        } else if let mtu = line.value("Client RX MTU:") ?? line.value("Server RX MTU:") {
            append(decimal: mtu, count: 2)
        } else if let count = line.value("Attribute data length:") {
            append(decimal: count, count: 1)
        } else if let value = line.value("Value:") ?? line.value("Data:") {
            append(value.bytes)
        } else if var value = line.value("Data[") ?? line.value("Value[")
            ?? line.value("Signature[")
        {
            guard value.skip(past: "]: ") else { return }
            append(value.bytes)
        } else if let signature = line.value("Signature:") {
            append(signature.bytes)
        } else {
            appendCode(line)
        }
    }

    private mutating func appendCode(_ line: BtmonLine) {
        if let uuid = line.value("UUID:") ?? line.value("Attribute type:")
            ?? line.value("Attribute group type:")
        {
            append(uuid.uuid ?? [])
        } else if let code = line.value("Format:") ?? line.value("Flags:") ?? line.value("Error:") {
            append(byte: code)
        } else if let dump = line.dump {
            append(dump)
        } else if opcode == ATTOpcode.errorResponse.rawValue, packet.count == 1 {
            append(byte: TextCursor(line.text))
        }
    }

    /// Appends bytes, up to the length of the packet.
    private mutating func append(_ bytes: ContiguousArray<UInt8>) {
        guard bytes.count <= length + 1 - packet.count else { return }
        packet += bytes
    }

    private mutating func append(byte cursor: TextCursor) {
        if let code = cursor.code { append(.littleEndian(code, count: 1)) }
    }

    private mutating func append(number cursor: TextCursor, digits: Int) {
        var cursor = cursor
        guard cursor.skip("0x"), let number = cursor.hexadecimal(), number.digits == digits else {
            return
        }
        append(.littleEndian(number.value, count: digits / 2))
    }

    private mutating func append(decimal cursor: TextCursor, count: Int) {
        var cursor = cursor
        if let number = cursor.decimal() { append(.littleEndian(UInt64(number), count: count)) }
    }

    private mutating func append(range cursor: TextCursor) {
        var cursor = cursor
        guard cursor.skip("0x"), let first = cursor.hexadecimal(), cursor.skip("-0x"),
            let last = cursor.hexadecimal()
        else { return }
        append(.littleEndian(first.value | last.value << 16, count: 4))
    }
}
