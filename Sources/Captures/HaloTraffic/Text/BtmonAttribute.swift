/// A packet of the attribute protocol, re-encoded from the output of `btmon`.
///
///     ATT: Handle Value Notification (0x1b) len 18
///       Handle: 0x0022 Type: Nordic UART RX (6e400003-b5a3-f393-e0a9-e50e24dcca9e)
///         Data: 03520000000000000000000000000055
///
/// Fields are printed in the order of the wire, except for multiple notifications. The printed
/// length shows where the fields end: later lines explain a value.
struct BtmonAttribute {
    private let opcode: UInt8
    private let length: Int
    private var packet: ContiguousArray<UInt8>
    private var notifiedLength: ContiguousArray<UInt8>?

    /// The packets beneath a header: `none` for one on a channel that is not followed.
    static func packets(_ lines: [BtmonLine]) -> [BtmonPacket.Outcome] {
        var packets: [BtmonPacket.Outcome] = []
        var isFollowed = true
        for index in lines.indices where isBeginning(lines[index]) {
            let beneath = lines[(index + 1)...].prefix { !isBeginning($0) }
            if lines[index].value("Channel:") != nil {
                isFollowed = false
            } else if let packet = packet(lines[index], beneath) {
                packets.append(isFollowed ? packet : .none)
            }
        }
        return packets
    }

    /// `true` for a line that begins a packet, or names the channel of the next one.
    private static func isBeginning(_ line: BtmonLine) -> Bool {
        line.indent <= 6
            && (line.value("ATT:") ?? line.value("LE L2CAP:") ?? line.value("Channel:")) != nil
    }

    /// A packet as one ACL packet; `nil` if it is too long.
    static func data(
        _ packet: ContiguousArray<UInt8>, handle: UInt16, flags: UInt8
    ) -> ContiguousArray<UInt8>? {
        // The lower two bits of the flags: 1 continues a packet, 0 and 2 begin one.
        let first: UInt8 = flags & 0b11 == 1 ? 2 : flags & 0b11
        guard packet.count <= Int(UInt16.max) - 4 else { return nil }
        var start = UInt64(handle) | UInt64(first) << 12
        start |= UInt64(packet.count + 4) << 16
        start |= UInt64(packet.count) << 32
        start |= UInt64(attributesChannel) << 48
        return .littleEndian(start, count: 8) + packet
    }

    private static let attributesChannel: UInt16 = 0x0004

    private static func packet(
        _ line: BtmonLine, _ beneath: ArraySlice<BtmonLine>
    ) -> BtmonPacket.Outcome? {
        guard var cursor = line.value("ATT:"), cursor.skip(past: "(0x"),
            let opcode = cursor.byte(), cursor.skip(") len "), let length = cursor.decimal()
        else { return nil }
        guard length < 1 << 16 else { return .incomplete }
        var attribute = BtmonAttribute(opcode: opcode, length: length, packet: [opcode])
        for line in beneath where attribute.packet.count <= length {
            attribute.append(line)
        }
        if attribute.packet.count == length + 1 { return .packet(attribute.packet) }
        let dump = BtmonFields(lines: beneath).dump
        return dump.count == length ? .packet([opcode] + dump) : .incomplete
    }

    private enum Form {
        case range, handle, offset
        case decimal(count: Int)
        /// The length of a value. Among several notifications it is printed before the handle, but
        /// sent after it.
        case length
        case bytes, uuid, code
        /// Bytes after their count in brackets.
        case counted
    }

    private static let forms: [(label: StaticString, form: Form)] = [
        ("Handle range:", .range), ("Handle:", .handle), ("Offset:", .offset),
        ("Length:", .length), ("Client RX MTU:", .decimal(count: 2)),
        ("Server RX MTU:", .decimal(count: 2)), ("Attribute data length:", .decimal(count: 1)),
        ("Value:", .bytes), ("Data:", .bytes), ("Signature:", .bytes), ("Data[", .counted),
        ("Value[", .counted), ("Signature[", .counted), ("UUID:", .uuid),
        ("Attribute type:", .uuid), ("Attribute group type:", .uuid), ("Format:", .code),
        ("Flags:", .code), ("Error:", .code),
    ]

    private mutating func append(_ line: BtmonLine) {
        guard line.indent <= 10 else { return }
        for (label, form) in Self.forms {
            if let value = line.value(label) { return append(value, form) }
        }
        if let dump = line.dump {
            append(dump)
        } else if opcode == ATTOpcode.errorResponse.rawValue, packet.count == 1 {
            append(TextCursor(line.text), .code)
        }
    }

    private mutating func append(_ value: TextCursor, _ form: Form) {
        var value = value
        switch form {
        case .range:
            guard value.skip("0x"), let first = value.hexadecimal(), value.skip("-0x"),
                let last = value.hexadecimal()
            else { return }
            append(.littleEndian(first.value | last.value << 16, count: 4))
        case .handle, .offset:
            if value.skip("0x"), let number = value.hexadecimal(), number.digits == 4 {
                append(.littleEndian(number.value, count: 2))
            }
            guard case .handle = form, let notifiedLength else { return }
            packet += notifiedLength
            self.notifiedLength = nil
        case .decimal(let count):
            if let number = value.decimal() {
                append(.littleEndian(UInt64(number), count: count))
            }
        case .length:
            guard let code = value.plainCode else { return }
            let bytes = ContiguousArray.littleEndian(code, count: 2)
            if opcode == ATTOpcode.multipleNotifications.rawValue, notifiedLength == nil {
                notifiedLength = bytes
            } else {
                packet += bytes
            }
        case .counted:
            if value.skip(past: "]: ") { append(value.bytes) }
        case .bytes:
            append(value.bytes)
        case .uuid:
            append(value.uuid ?? [])
        case .code:
            if let code = value.code { append(.littleEndian(code, count: 1)) }
        }
    }

    /// Appends bytes, up to the length of the packet.
    private mutating func append(_ bytes: ContiguousArray<UInt8>) {
        guard bytes.count <= length + 1 - packet.count else { return }
        packet += bytes
    }
}
