/// Reads btsnoop: Android's HCI snoop log, and what `btmon -w` writes.
///
/// All numbers are big-endian. Described by RFC 1761 and, for what is Bluetooth's, by BlueZ.
///
///     header  "btsnoop" 00 · version, 32 bits: 1 · what the packets are, 32 bits
///     record  length before it was cut, 32 bits · length, 32 bits · flags, 32 bits
///             packets lost so far, 32 bits · microseconds since the year 0, 64 bits · packet
struct BTSnoopParser: UnitParser, Sendable {
    /// What a file begins with.
    static let magic: StaticString = "btsnoop\0"

    private static let headerLength = 16
    private static let recordHeaderLength = 24
    /// The 1st of January 1970, counted as these files do.
    private static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

    private var content: Content?
    private var counter = RecordCounter()
    private var lost: UInt32 = 0

    /// What the packets of a file are.
    private enum Content: UInt32 {
        /// Without their type, which the flags tell half of.
        case bare = 1001
        /// Behind the byte that tells their type.
        case uart = 1002
        /// What Linux tells its monitors; the flags say what it is.
        case monitor = 2001
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
        let length = try RecordCounter.packetLength(bytes.length(at: 4, .big), at: offset + 4)
        let end = Self.recordHeaderLength + length
        guard bytes.count >= end else { return .needs(end) }
        let time = Int64(bitPattern: bytes.uint64(at: 16, .big)) &- Self.epoch
        let place = counter.next(at: offset, time, into: &sink)
        let dropped = bytes.uint32(at: 12, .big)
        if dropped > lost { sink.note(.lostByRecorder, at: place) }
        lost = dropped
        if length < bytes.length(at: 0, .big) { sink.note(.cutByRecorder, at: place) }
        let packet = bytes.extracting(Self.recordHeaderLength..<end)
        take(packet, content, flags: bytes.uint32(at: 8, .big), at: place, into: &sink)
        return .took(end)
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if content == nil {
            throw .cut(rest, at: offset, needs: Self.headerLength)
        }
        guard !rest.isEmpty else { return }
        let isHeaderWhole = rest.count >= Self.recordHeaderLength
        let length = isHeaderWhole ? min(rest.length(at: 4, .big), RecordCounter.longestPacket) : 0
        throw .cut(rest, at: offset, needs: Self.recordHeaderLength + length)
    }

    private func take(
        _ packet: Span<UInt8>, _ content: Content, flags: UInt32, at place: RecordPlace,
        into sink: inout some RecordSink
    ) {
        let direction: HCIDirection = flags & 1 == 0 ? .toController : .toHost
        switch content {
        case .uart:
            LinkPackets.takeUART(packet, direction, adapter: 0, at: place, into: &sink)
        case .bare:
            let control: HCIPacketType = direction == .toController ? .command : .event
            let type = flags & 2 == 0 ? .acl : control
            sink.take(.hci(type, direction, adapter: 0), packet, at: place)
        case .monitor:
            let opcode = UInt16(truncatingIfNeeded: flags)
            let adapter = UInt16(truncatingIfNeeded: flags >> 16)
            sink.take(.monitor(opcode: opcode, adapter: adapter), packet, at: place)
        }
    }

    private static func content(
        _ header: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> Content {
        guard header.has(magic) else { throw TrafficError(.malformed, at: offset) }
        let version = header.length(at: 8, .big)
        guard version == 1 else {
            throw TrafficError(.unknownVersion, at: offset + 8, found: version, hint: "it is 1")
        }
        let number = header.uint32(at: 12, .big)
        if let content = Content(rawValue: number) { return content }
        let hint: String? =
            switch number {
            case 1003: "packets of BCSP, which frames them for a UART"
            case 1004: "packets of the three-wire UART (H5)"
            case 2002: "packets of Linux' simulator"
            default: nil
            }
        throw TrafficError(
            .unknownContent, at: offset + 12, found: Int(clamping: number), hint: hint)
    }
}
