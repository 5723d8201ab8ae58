import HaloProtocol

/// A packet of a logical channel, put together again of how `btmon` prints it.
struct BtmonChannel {
    /// The channel's number.
    let channel: UInt16
    /// What went over it, unless not all of it was printed.
    let payload: ContiguousArray<UInt8>?

    /// The channel of the attribute protocol.
    private static let attributes: UInt16 = 0x0004
    /// The channel where others are opened.
    private static let signalling: UInt16 = 0x0005

    /// The packets that the lines beneath a header show: one, as a rule.
    static func packets(_ lines: [BtmonLine]) -> [BtmonChannel] {
        var packets: [BtmonChannel] = []
        var dynamic: (channel: UInt16, unit: UInt64?)?
        for index in lines.indices where lines[index].indent <= 6 {
            let line = lines[index]
            let beneath = lines[(index + 1)...]
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

    /// A request for a channel with credits or its answer, for what goes over such a channel
    /// may be attributes.
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
        var signal: ContiguousArray<UInt8> = [code, identifier, 10, 0]
        for part in parts {
            guard let part else { return nil }
            signal += part
        }
        return signal
    }

    /// The packet as data of a connection, in one piece, whatever pieces it came in.
    func data(handle: UInt16, flags: UInt8) -> ContiguousArray<UInt8>? {
        // The lower two of the flags: 1 continues a packet, 0 and 2 begin one.
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

extension BtmonFields {
    /// The decimal number of the first line with the label, in two bytes.
    fileprivate func number(_ label: StaticString) -> ContiguousArray<UInt8>? {
        guard var cursor = value(label), let number = cursor.decimal() else { return nil }
        return .littleEndian(UInt64(number), count: 2)
    }
}
