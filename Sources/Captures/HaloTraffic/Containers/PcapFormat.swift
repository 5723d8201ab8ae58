/// The classic format pcap of tcpdump and Wireshark, in either byte order.
///
/// Described by the IETF's draft `draft-ietf-opsawg-pcap`:
///
///     header  A1B2C3D4, or A1B23C4D if times have nanoseconds · version, twice 16 bits: 2.4
///             64 bits unused · longest packet, 32 bits · link type, 32 bits
///     record  seconds, 32 bits · microseconds or nanoseconds, 32 bits
///             length, 32 bits · length before it was cut, 32 bits · packet
struct PcapFormat: RecordFileFormat {
    static let headerLength = 24
    static let recordHeaderLength = 16
    static let lengthEnd = recordHeaderLength

    private let order: ByteOrder
    private let unitsPerMicrosecond: Int64
    private let type: LinkType

    enum Magic: UInt32 {
        case microseconds = 0xA1B2_C3D4
        case nanoseconds = 0xA1B2_3C4D
        /// An old Linux variant with longer record headers.
        case extended = 0xA1B2_CD34

        static func find(in bytes: Span<UInt8>) -> (magic: Magic, order: ByteOrder)? {
            guard bytes.count >= 4 else { return nil }
            for order in [ByteOrder.big, .little] {
                if let magic = Magic(rawValue: bytes.uint32(at: 0, order)) { return (magic, order) }
            }
            return nil
        }
    }

    init(header: Span<UInt8>, at offset: Int) throws(TrafficError) {
        guard let (magic, order) = Magic.find(in: header) else {
            throw TrafficError(.malformed, at: offset)
        }
        if magic == .extended {
            throw TrafficError(
                .unknownVersion, at: offset,
                hint: "a variant that `editcap -F pcap` converts to ordinary pcap")
        }
        for (field, known) in [(4, 2), (6, 4)] {
            let number = Int(header.uint16(at: field, order))
            guard number == known else {
                throw TrafficError(
                    .unknownVersion, at: offset + field, found: number, hint: "it is 2.4")
            }
        }
        let field = header.uint32(at: 20, order)
        guard let type = LinkType(field: field) else {
            throw .unknownLinkType(field, at: offset + 20)
        }
        self.order = order
        self.type = type
        unitsPerMicrosecond = magic == .nanoseconds ? 1000 : 1
    }

    func packetLength(_ header: Span<UInt8>, at offset: Int) -> (length: Int, offset: Int) {
        (header.length(at: 8, order), offset + 8)
    }

    func microseconds(_ header: Span<UInt8>) -> Int64 {
        Int64(header.uint32(at: 0, order)) * 1_000_000
            + Int64(header.uint32(at: 4, order)) / unitsPerMicrosecond
    }

    func receive(
        _ packet: Span<UInt8>, _ header: Span<UInt8>, at position: FilePosition,
        into sink: inout some RecordSink
    ) {
        if packet.count < header.length(at: 12, order) {
            sink.note(.cutByRecorder, at: position)
        }
        LinkPackets.receive(type, packet, nil, adapter: 0, at: position, into: &sink)
    }
}
