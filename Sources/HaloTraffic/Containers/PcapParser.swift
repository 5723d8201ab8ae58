/// Reads pcap, the classic format of tcpdump and Wireshark, in either order of bytes.
///
/// Described by the IETF's draft `draft-ietf-opsawg-pcap`:
///
///     header  A1B2C3D4, or A1B23C4D if times have nanoseconds · version, twice 16 bits: 2.4
///             64 bits unused · how long packets may be, 32 bits · link type, 32 bits
///     record  seconds, 32 bits · microseconds or nanoseconds, 32 bits
///             length, 32 bits · length before it was cut, 32 bits · packet
struct PcapParser: UnitParser, Sendable {
    private static let headerLength = 24
    private static let recordHeaderLength = 16

    private var content: Content?
    private var counter = RecordCounter()

    /// What a file says at its beginning.
    private struct Content {
        let order: ByteOrder
        let unitsPerMicrosecond: Int64
        let type: LinkType
    }

    /// The numbers that a file may begin with.
    enum Magic: UInt32 {
        case microseconds = 0xA1B2_C3D4
        case nanoseconds = 0xA1B2_3C4D
        /// Of a variant with longer headers of records, which Linux once had.
        case extended = 0xA1B2_CD34

        /// What a file begins with, and the order of its bytes.
        static func found(in bytes: Span<UInt8>) -> (magic: Magic, order: ByteOrder)? {
            guard bytes.count >= 4 else { return nil }
            for order in [ByteOrder.big, .little] {
                if let magic = Magic(rawValue: bytes.uint32(at: 0, order)) { return (magic, order) }
            }
            return nil
        }
    }

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        guard let content else {
            guard bytes.count >= Self.headerLength else { return .needs(Self.headerLength) }
            content = try Self.content(bytes, at: offset)
            return .took(Self.headerLength)
        }
        guard bytes.count >= Self.recordHeaderLength else { return .needs(Self.recordHeaderLength) }
        let order = content.order
        let length = try RecordCounter.packetLength(bytes.length(at: 8, order), at: offset + 8)
        let end = Self.recordHeaderLength + length
        guard bytes.count >= end else { return .needs(end) }
        let seconds = Int64(bytes.uint32(at: 0, order))
        let rest = Int64(bytes.uint32(at: 4, order)) / content.unitsPerMicrosecond
        let place = counter.next(at: offset, seconds * 1_000_000 + rest, into: &sink)
        if length < bytes.length(at: 12, order) { sink.note(.cutByRecorder, at: place) }
        let packet = bytes.extracting(Self.recordHeaderLength..<end)
        LinkPackets.take(content.type, packet, nil, adapter: 0, at: place, into: &sink)
        return .took(end)
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        guard let content else {
            throw .cut(rest, at: offset, needs: Self.headerLength)
        }
        guard !rest.isEmpty else { return }
        let isHeaderWhole = rest.count >= Self.recordHeaderLength
        let length = isHeaderWhole ? rest.length(at: 8, content.order) : 0
        throw .cut(
            rest, at: offset,
            needs: Self.recordHeaderLength + min(length, RecordCounter.longestPacket))
    }

    private static func content(
        _ header: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> Content {
        guard let (magic, order) = Magic.found(in: header) else {
            throw TrafficError(.malformed, at: offset)
        }
        if magic == .extended {
            throw TrafficError(
                .unknownVersion, at: offset,
                hint: "a variant that `editcap -F pcap` makes ordinary pcap of")
        }
        let major = header.uint16(at: 4, order)
        let minor = header.uint16(at: 6, order)
        guard major == 2, minor == 4 else {
            let isMajor = major != 2
            throw TrafficError(
                .unknownVersion, at: offset + (isMajor ? 4 : 6),
                found: Int(isMajor ? major : minor), hint: "it is 2.4")
        }
        let field = header.uint32(at: 20, order)
        guard let type = LinkType(field: field) else {
            throw .unknownLinkType(field, at: offset + 20)
        }
        return Content(
            order: order, unitsPerMicrosecond: magic == .nanoseconds ? 1000 : 1, type: type)
    }
}

extension TrafficError {
    /// The packets of a file, or of all its interfaces, are not Bluetooth's.
    static func unknownLinkType(_ field: UInt32, at offset: Int) -> TrafficError {
        TrafficError(
            .unknownContent, at: offset, found: Int(clamping: field),
            hint: "a link type of tcpdump.org's list; 187, 201, 251, 254, 256 and 272 are read")
    }
}
