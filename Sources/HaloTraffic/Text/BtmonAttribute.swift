import HaloProtocol

/// Makes packets of the attribute protocol again of how `btmon` prints them.
///
///     ATT: Handle Value Notification (0x1b) len 18
///       Handle: 0x0022 Type: Nordic UART RX (6e400003-b5a3-f393-e0a9-e50e24dcca9e)
///         Data: 03520000000000000000000000000055
///
/// Fields are printed in the order of the wire, but for one packet. The length says when they
/// are complete: what follows explains a value.
struct BtmonAttribute {
    private let opcode: UInt8
    private let length: Int
    private var packet: ContiguousArray<UInt8>
    private var length23: ContiguousArray<UInt8>?

    /// The packet that the line and those beneath it show: nothing, if the line shows none or
    /// not all of the packet was printed.
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

    /// What became of a line.
    enum Outcome {
        /// It shows no packet of the attribute protocol.
        case none
        /// It shows one, but not all of it.
        case incomplete
        /// This is the packet.
        case packet(ContiguousArray<UInt8>)
    }

    private mutating func append(_ line: BtmonLine) {
        guard line.indent <= 10 else { return }
        if let range = line.value("Handle range:") {
            append(range: range)
        } else if let handle = line.value("Handle:") {
            append(number: handle, digits: 4)
            if let length23 { packet += length23 }
            length23 = nil
        } else if let offset = line.value("Offset:") {
            append(number: offset, digits: 4)
        } else if let count = line.value("Length:"), let code = count.plainCode {
            let bytes = ContiguousArray.littleEndian(code, count: 2)
            if opcode == ATTOpcode.multipleNotifications.rawValue, length23 == nil {
                length23 = bytes
            } else {
                packet += bytes
            }
        } else if let mtu = line.value("Client RX MTU:") ?? line.value("Server RX MTU:") {
            append(decimal: mtu, count: 2)
        } else if let count = line.value("Attribute data length:") {
            append(decimal: count, count: 1)
        } else if let value = line.value("Value:") ?? line.value("Data:") {
            append(value.bytes)
        } else if var value = line.value("Data[") ?? line.value("Value[") {
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

    /// Appends bytes, unless there are more than the packet has.
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
