/// Parses packets with CACE's per-packet information (PPI), as Ubertooth writes them.
///
/// All numbers are little-endian. Described by CACE's "Per-Packet Information Header
/// Specification" and by tcpdump.org (LINKTYPE_PPI):
///
///     packet  version: 00 · flags · length of all before the content, 16 bits
///             link type of the content, 32 bits · fields · content
///     field   type, 16 bits · length, 16 bits · value [padding to 4 bytes, if flag 01 is set]
///
/// Ubertooth had no link type of its own at first: its packets have 147, for private use, and a
/// field of type 30006 (seen in the test files of crackle). Packets of the link layer have 251 or
/// 256. The strength in Ubertooth's field is that of its receiver, not in dBm, and is left out.
enum PPIPackets {
    private static let headerLength = 8
    private static let privateType: UInt32 = 147
    private static let ubertooth: UInt16 = 30006
    private static let isPadded: UInt8 = 0x01

    static func receive(
        _ packet: Span<UInt8>, at position: FilePosition, into sink: inout some RecordSink
    ) {
        guard packet.count >= headerLength else { return sink.note(.shortPacket, at: position) }
        let length = Int(packet.uint16(at: 2, .little))
        guard packet[0] == 0 else { return sink.note(.unknownPacket, at: position) }
        guard length >= headerLength, length <= packet.count else {
            return sink.note(.shortPacket, at: position)
        }
        let content = packet.extracting(length..<packet.count)
        let type = packet.uint32(at: 4, .little)
        if type == LinkType.airWithHeader.rawValue {
            AirPackets.receiveWithHeader(content, at: position, into: &sink)
        } else if type == LinkType.air.rawValue
            || type == privateType && hasField(ubertooth, packet.extracting(0..<length))
        {
            AirPackets.receive(content, AirReception(), at: position, into: &sink)
        } else {
            sink.note(.unknownPacket, at: position)
        }
    }

    private static func hasField(_ type: UInt16, _ header: Span<UInt8>) -> Bool {
        let isPadded = header[1] & isPadded != 0
        var offset = headerLength
        while offset <= header.count - 4 {
            if header.uint16(at: offset, .little) == type { return true }
            let length = Int(header.uint16(at: offset + 2, .little))
            offset += 4 + (isPadded ? (length + 3) & ~3 : length)
        }
        return false
    }
}

/// The format of TI's SmartRF Packet Sniffer for Bluetooth low energy, `.psd`.
///
/// There is no file header. All numbers are little-endian:
///
///     record  information · number, 32 bits · time in 1/32 µs, 64 bits · length, 16 bits
///             length without this byte · packet · padding, to 271 bytes
///     packet  access address, 32 bits · header · length · payload · CRC, 24 bits
///             signal strength · 80 if the CRC was correct, plus the channel
///
/// TI's own description, in the help of the program, is not public. The layout is what owners of a
/// CC2540 found and TI's support said of the clock of 32 MHz, checked against one recording of it.
/// The reference of the signal strength is uncertain, so it is left out. The records of other radio
/// protocols have other lengths, and are not detected.
struct PSDFormat: RecordFileFormat {
    static let headerLength = 0
    static let recordHeaderLength = 16
    static let lengthEnd = recordHeaderLength
    private static let recordLength = 271
    /// The length of a packet without payload: address, header, CRC, strength and channel.
    private static let emptyLength = 11
    private static let statusLength = 2
    private static let isIntact: UInt8 = 0x80
    private static let lastChannel: UInt8 = 39
    private static let firstAdvertisingChannel: UInt8 = 37
    private static let advertising: UInt32 = 0x8E89_BED6

    init(header: Span<UInt8>, at offset: Int) {}

    func packetLength(
        _ header: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> (length: Int, offset: Int) {
        let counted = Int(header.uint16(at: 13, .little))
        guard counted == Int(header[15]) + 1, counted > Self.emptyLength else {
            throw TrafficError(
                .wrongLength, at: offset + 13, found: counted,
                hint: "the records of Bluetooth have another form")
        }
        return (Self.recordLength - Self.recordHeaderLength, offset + 13)
    }

    func microseconds(_ header: Span<UInt8>) -> Int64 {
        Int64(header.uint64(at: 5, .little) / 32)
    }

    func receive(
        _ packet: Span<UInt8>, _ header: Span<UInt8>, at position: FilePosition,
        into sink: inout some RecordSink
    ) {
        let end = Int(header[15]) - Self.statusLength
        let isIntact = packet[end + 1] & Self.isIntact != 0
        AirPackets.receive(
            packet.extracting(0..<end), AirReception(isIntact: isIntact), at: position,
            into: &sink)
    }

    /// `true` if the bytes can begin such a file: whole records only, each with lengths that agree,
    /// a known channel, a time not before that of the last one, and on the channels of
    /// advertising the access address of advertising.
    static func isBeginning(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= recordLength,
            bytes.count >= TrafficFormat.binaryDetectionLength
                || bytes.count % recordLength == 0
        else { return false }
        var time: UInt64 = 0
        var start = 0
        while start <= bytes.count - recordLength {
            let record = bytes.extracting(start..<start + recordLength)
            guard isPlausible(record), record.uint64(at: 5, .little) >= time else { return false }
            time = record.uint64(at: 5, .little)
            start += recordLength
        }
        return true
    }

    private static func isPlausible(_ record: Span<UInt8>) -> Bool {
        let length = Int(record[15])
        guard length >= emptyLength, Int(record.uint16(at: 13, .little)) == length + 1,
            record[0] < 0x20
        else { return false }
        let end = recordHeaderLength + length
        let payload = Int(record[recordHeaderLength + 5])
        let isWithCTE = record[recordHeaderLength + 4] & 0x20 != 0
        guard length == emptyLength + payload || isWithCTE && length == emptyLength + payload + 1
        else { return false }
        let channel = record[end - 1] & ~isIntact
        let address = record.uint32(at: recordHeaderLength, .little)
        return channel <= lastChannel
            && (channel < firstAdvertisingChannel || address == advertising)
    }
}
