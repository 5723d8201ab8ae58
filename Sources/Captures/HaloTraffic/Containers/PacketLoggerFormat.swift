/// The format of Apple's PacketLogger, `.pklg`, and of the Bluetooth logs of Apple's phones.
///
/// There is no file header, and bytes are in either order. As in Wireshark, the first length shows
/// the order: a length below 65,536 has its zeros first or last.
///
///     record  length of the rest, 32 bits · seconds, 32 bits · microseconds, 32 bits
///             type · packet, or text
struct PacketLoggerFormat: RecordFileFormat {
    static let headerLength = 0
    static let recordHeaderLength = 13
    static let lengthEnd = 4
    /// The part of the header that the length includes, in bytes.
    private static let countedLength = 9

    private let order: ByteOrder

    init(header bytes: Span<UInt8>, at offset: Int) {
        order = Self.order(bytes)
    }

    func packetLength(
        _ header: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> (length: Int, offset: Int) {
        let counted = header.length(at: 0, order)
        guard counted >= Self.countedLength else {
            throw TrafficError(.wrongLength, at: offset, found: counted)
        }
        return (counted - Self.countedLength, offset)
    }

    func microseconds(_ header: Span<UInt8>) -> Int64 {
        Int64(header.uint32(at: 4, order)) * 1_000_000 + Int64(header.uint32(at: 8, order))
    }

    func receive(
        _ packet: Span<UInt8>, _ header: Span<UInt8>, at position: FilePosition,
        into sink: inout some RecordSink
    ) {
        if let (type, direction) = Self.packet(header[12]) {
            sink.receive(.hci(type, direction, adapter: 0), packet, at: position)
        } else if !Self.isRemark(header[12]) {
            sink.note(.unknownPacket, at: position)
        }
    }

    /// `true` if the bytes can begin such a file: consecutive records with plausible lengths and
    /// times, to the end of the bytes. The first one is of a known type, and whole if these bytes
    /// are the whole file.
    static func isBeginning(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= recordHeaderLength else { return false }
        guard packet(bytes[12]) != nil || isRemark(bytes[12]) else { return false }
        let order = order(bytes)
        var offset = 0
        while offset <= bytes.count - recordHeaderLength {
            let counted = bytes.length(at: offset, order)
            guard counted >= countedLength, counted < 1 << 16,
                bytes.uint32(at: offset + 8, order) < 1_000_000
            else { return false }
            let isWhole = 4 + counted <= bytes.count
            guard offset > 0 || isWhole || bytes.count >= TrafficFormat.binaryDetectionLength else {
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

    /// `true` if a record is not a packet but a remark: of the link managers of classic Bluetooth,
    /// of the system's log, of errors, power, notes, configuration, and new controllers.
    private static func isRemark(_ type: UInt8) -> Bool {
        type == 0x0A || type == 0x0B || type >= 0xF7
    }
}
