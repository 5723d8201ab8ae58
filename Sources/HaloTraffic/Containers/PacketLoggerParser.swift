/// Reads what Apple's PacketLogger writes, `.pklg`, and the Bluetooth logs of Apple's phones.
///
/// There is no header, and bytes are in either order; which one shows in the first length, as
/// Wireshark does it: a length below 65,536 has its zeros first or last.
///
///     record  length of what follows, 32 bits · seconds, 32 bits · microseconds, 32 bits
///             what it is · packet, or text
struct PacketLoggerParser: UnitParser, Sendable {
    private static let headerLength = 13
    /// The part of the header that the length counts.
    private static let countedLength = 9

    private var order: ByteOrder?
    private var counter = RecordCounter()

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        guard bytes.count >= Self.headerLength else { return .needs(Self.headerLength) }
        let order = self.order ?? Self.order(bytes)
        self.order = order
        let counted = bytes.length(at: 0, order)
        guard counted >= Self.countedLength else {
            throw TrafficError(.wrongLength, at: offset, found: counted)
        }
        _ = try RecordCounter.packetLength(counted - Self.countedLength, at: offset)
        let end = 4 + counted
        guard bytes.count >= end else { return .needs(end) }
        let seconds = Int64(bytes.uint32(at: 4, order))
        let time = seconds * 1_000_000 + Int64(bytes.uint32(at: 8, order))
        let place = counter.next(at: offset, time, into: &sink)
        let packet = bytes.extracting(Self.headerLength..<end)
        if let (type, direction) = Self.packet(bytes[12]) {
            sink.take(.hci(type, direction, adapter: 0), packet, at: place)
        } else if !Self.isRemark(bytes[12]) {
            sink.note(.unknownPacket, at: place)
        }
        return .took(end)
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if rest.isEmpty, offset > 0 { return }
        guard let order, rest.count >= 4 else {
            throw .cut(rest, at: offset, needs: Self.headerLength)
        }
        let longest = Self.countedLength + RecordCounter.longestPacket
        let counted = min(rest.length(at: 0, order), longest)
        throw .cut(rest, at: offset, needs: max(4 + counted, Self.headerLength))
    }

    /// Whether this could be the beginning of such a file: records with lengths and times that can
    /// be, one after another as far as the bytes go. The first one is of a known type, and whole if
    /// these bytes are the whole file.
    static func isBeginning(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= headerLength else { return false }
        guard packet(bytes[12]) != nil || isRemark(bytes[12]) else { return false }
        let order = order(bytes)
        var offset = 0
        while offset <= bytes.count - headerLength {
            let counted = bytes.length(at: offset, order)
            guard counted >= countedLength, counted < 1 << 16,
                bytes.uint32(at: offset + 8, order) < 1_000_000
            else { return false }
            let isWhole = 4 + counted <= bytes.count
            guard offset > 0 || isWhole || bytes.count >= TrafficFormat.detectionLength else {
                return false
            }
            offset += 4 + counted
        }
        return true
    }

    private static func order(_ bytes: Span<UInt8>) -> ByteOrder {
        let length = bytes.uint32(at: 0, .big)
        return length & 0xFFFF == 0 && length >> 16 != 0 ? .little : .big
    }

    private static func packet(_ type: UInt8) -> (HCIPacketType, HCIDirection)? {
        switch type {
        case 0x00: (.command, .toController)
        case 0x01: (.event, .toHost)
        case 0x02: (.acl, .toController)
        case 0x03: (.acl, .toHost)
        case 0x08: (.synchronous, .toController)
        case 0x09: (.synchronous, .toHost)
        default: nil
        }
    }

    /// Whether a record is not a packet: of the link managers of classic Bluetooth, of the system's
    /// log, of errors, power, notes, configuration, and new controllers.
    private static func isRemark(_ type: UInt8) -> Bool {
        type == 0x0A || type == 0x0B || type >= 0xF7
    }
}
