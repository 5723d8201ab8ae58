/// Reads pcapng, Wireshark's format: sections of blocks, each section in either order of bytes.
///
/// Described by the IETF's draft `draft-ietf-opsawg-pcapng`:
///
///     block    type, 32 bits · length of the whole block, 32 bits · body · the length again
///     0A0D0D0A section: 1A2B3C4D · version, twice 16 bits: 1.0 · length, 64 bits · options
///     1        interface: link type, 16 bits · 16 bits unused
///              how long packets may be, 32 bits · options
///     2        packet, as it was once: interface, 16 bits · packets lost, 16 bits, then as in 6
///     3        simple packet: length before it was cut, 32 bits · packet
///     6        packet: interface, 32 bits · time, high and low 32 bits · length, 32 bits
///              length before it was cut, 32 bits · packet · options
///
/// All other blocks are passed over. An interface counts as an adapter of its own.
struct PcapNGParser: UnitParser, Sendable {
    /// How many interfaces a section may have.
    static let mostInterfaces = 1024

    private static let blockHeaderLength = 8
    private static let shortestBlock = 12

    private var order: ByteOrder?
    private var interfaces: [PcapNGInterface] = []
    private var counter = RecordCounter()
    /// The length that has to stand at the end of a block that is passed over.
    private var trailer: Int?
    private var isBluetooth = false
    /// The first interface whose packets are something else.
    private var stranger: TrafficError?

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        if let trailer, let order {
            guard bytes.count >= 4 else { return .needs(4) }
            try Self.check(bytes.length(at: 0, order), is: trailer, at: offset)
            self.trailer = nil
            return .took(4)
        }
        guard bytes.count >= Self.shortestBlock else { return .needs(Self.shortestBlock) }
        let isSection = bytes.uint32(at: 0, .big) == PcapNGBlock.section
        if isSection { order = try Self.sectionOrder(bytes, at: offset) }
        guard let order else { throw TrafficError(.malformed, at: offset) }
        let length = bytes.length(at: 4, order)
        guard length >= Self.shortestBlock, length & 3 == 0 else {
            throw TrafficError(.wrongLength, at: offset + 4, found: length)
        }
        let type = isSection ? PcapNGBlock.section : bytes.uint32(at: 0, order)
        guard PcapNGBlock.isKnown(type) else {
            trailer = length
            return .skips(length - 4)
        }
        guard bytes.count >= length else { return .needs(length) }
        try Self.check(bytes.length(at: length - 4, order), is: length, at: offset + length - 4)
        let body = bytes.extracting(Self.blockHeaderLength..<length - 4)
        try take(PcapNGBlock(type: type, order: order, offset: offset), body, into: &sink)
        return .took(length)
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if !rest.isEmpty || offset == 0 || trailer != nil {
            guard trailer == nil else { throw .cut(rest, at: offset, needs: 4) }
            let isLengthThere = rest.count >= Self.shortestBlock
            let length = isLengthThere ? order.map { rest.length(at: 4, $0) } : nil
            throw .cut(rest, at: offset, needs: length ?? Self.shortestBlock)
        }
        if let stranger, !isBluetooth { throw stranger }
    }

    private mutating func take(
        _ block: PcapNGBlock, _ body: Span<UInt8>, into sink: inout some RecordSink
    ) throws(TrafficError) {
        switch block.type {
        case PcapNGBlock.section:
            try Self.checkVersion(body, block)
            interfaces.removeAll()
        case PcapNGBlock.interface:
            try takeInterface(body, block)
        default:
            let packet = try PcapNGPacket(body, block, interfaces.first?.snapshotLength)
            try take(packet, body, block, into: &sink)
        }
    }

    private mutating func takeInterface(
        _ body: Span<UInt8>, _ block: PcapNGBlock
    ) throws(TrafficError) {
        guard interfaces.count < Self.mostInterfaces else {
            throw TrafficError(.tooMuch, at: block.offset, found: interfaces.count)
        }
        let interface = try PcapNGInterface(body, block.order, at: block.bodyOffset)
        interfaces.append(interface)
        if interface.type != nil {
            isBluetooth = true
        } else if stranger == nil {
            let number = UInt32(body.uint16(at: 0, block.order))
            stranger = .unknownLinkType(number, at: block.bodyOffset)
        }
    }

    private mutating func take(
        _ packet: PcapNGPacket, _ body: Span<UInt8>, _ block: PcapNGBlock,
        into sink: inout some RecordSink
    ) throws(TrafficError) {
        guard packet.interface < interfaces.count else {
            throw TrafficError(.malformed, at: block.bodyOffset, found: packet.interface)
        }
        let interface = interfaces[packet.interface]
        let time = packet.time.map(interface.microseconds) ?? counter.time ?? 0
        let place = counter.next(at: block.offset, time, into: &sink)
        if packet.hasLosses { sink.note(.lostByRecorder, at: place) }
        guard let type = interface.type else { return sink.note(.unknownPacket, at: place) }
        if packet.isCut { sink.note(.cutByRecorder, at: place) }
        LinkPackets.take(
            type, body.extracting(packet.range), packet.direction,
            adapter: UInt16(clamping: packet.interface), at: place, into: &sink)
    }

    private static func sectionOrder(
        _ bytes: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> ByteOrder {
        for order in [ByteOrder.big, .little]
        where bytes.uint32(at: 8, order) == PcapNGBlock.orderMark { return order }
        throw TrafficError(.malformed, at: offset + 8)
    }

    private static func checkVersion(
        _ body: Span<UInt8>, _ block: PcapNGBlock
    ) throws(TrafficError) {
        guard body.count >= 16 else {
            throw TrafficError(.wrongLength, at: block.offset + 4, found: body.count + 12)
        }
        let major = Int(body.uint16(at: 4, block.order))
        guard major == 1 else {
            throw TrafficError(
                .unknownVersion, at: block.bodyOffset + 4, found: major, hint: "it is 1.0")
        }
    }

    private static func check(
        _ found: Int, is length: Int, at offset: Int
    ) throws(TrafficError) {
        guard found == length else {
            throw TrafficError(
                .wrongLength, at: offset, found: found,
                hint: "it is not the one at the beginning of the block")
        }
    }
}

/// A block of a pcapng file: what it is, and where it stands.
struct PcapNGBlock {
    static let section: UInt32 = 0x0A0D_0D0A
    static let orderMark: UInt32 = 0x1A2B_3C4D
    static let interface: UInt32 = 1
    static let oldPacket: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let packet: UInt32 = 6

    /// What it is.
    let type: UInt32
    /// How its section writes numbers.
    let order: ByteOrder
    /// Where in the file it begins.
    let offset: Int

    /// Where in the file its body begins.
    var bodyOffset: Int { offset + 8 }

    /// Whether blocks of a type are read.
    static func isKnown(_ type: UInt32) -> Bool {
        type == packet || type == interface || type == oldPacket || type == simplePacket
            || type == section
    }
}

/// Goes through the options of a pcapng block: code and length of 16 bits each, then the value,
/// filled up to four bytes; code 0 ends them, and so does the block.
struct PcapNGOptions {
    private let order: ByteOrder
    private var position: Int

    /// An option: what it is, and where in the block's body its value stands.
    struct Option {
        let code: UInt16
        let range: Range<Int>
    }

    /// The options that begin at `start` of a block's body.
    init(_ body: Span<UInt8>, _ order: ByteOrder, from start: Int) {
        self.order = order
        position = start
    }

    /// The next option of the same body, which begins at `offset` of the file.
    mutating func next(
        _ body: Span<UInt8>, at offset: Int
    ) throws(TrafficError) -> Option? {
        guard position <= body.count - 4 else { return nil }
        let code = body.uint16(at: position, order)
        let length = Int(body.uint16(at: position + 2, order))
        if code == 0 { return nil }
        let start = position + 4
        guard length <= body.count - start else {
            throw TrafficError(.wrongLength, at: offset + position + 2, found: length)
        }
        position = start + (length + 3) & ~3
        return Option(code: code, range: start..<start + length)
    }
}
