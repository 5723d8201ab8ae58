/// Reads pcapng, Wireshark's format: sections of blocks, each section in either byte order.
///
/// Described by the IETF's draft `draft-ietf-opsawg-pcapng`:
///
///     block    type, 32 bits · length of the whole block, 32 bits · body · the length again
///     0A0D0D0A section: 1A2B3C4D · version, twice 16 bits: 1.0 · length, 64 bits · options
///     1        interface: link type, 16 bits · 16 bits unused
///              how long packets may be, 32 bits · options
///     6        packet: interface, 32 bits · time, high and low 32 bits · length, 32 bits
///              length before it was cut, 32 bits · packet · options
///
/// All other blocks are skipped: no sniffer of Bluetooth writes packets in the older forms, 2 and
/// 3. Each interface counts as an adapter.
struct PcapNGParser: UnitParser, Sendable {
    static let mostInterfaces = 1024

    private static let blockHeaderLength = 8
    private static let shortestBlock = 12

    private var order: ByteOrder?
    private var interfaces: [PcapNGInterface] = []
    private var counter = RecordCounter()
    /// The length that must be repeated at the end of the block being skipped.
    private var trailer: Int?
    private var isBluetooth = false
    /// The error for the first interface whose packets are not Bluetooth.
    private var otherContent: TrafficError?

    mutating func parse(
        _ bytes: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) -> UnitStep {
        if let trailer, let order {
            guard bytes.count >= 4 else { return .needs(4) }
            try Self.check(bytes.length(at: 0, order), is: trailer, at: offset)
            self.trailer = nil
            return .read(4)
        }
        guard bytes.count >= Self.shortestBlock else { return .needs(Self.shortestBlock) }
        let isSection = bytes.uint32(at: 0, .big) == PcapNGBlock.section.rawValue
        if isSection {
            order = [.big, .little].first { bytes.uint32(at: 8, $0) == 0x1A2B_3C4D }
        }
        guard let order else {
            throw TrafficError(.malformed, at: isSection ? offset + 8 : offset)
        }
        let length = bytes.length(at: 4, order)
        guard length >= Self.shortestBlock, length & 3 == 0 else {
            throw TrafficError(.wrongLength, at: offset + 4, found: length)
        }
        guard let block = isSection ? .section : PcapNGBlock(rawValue: bytes.uint32(at: 0, order))
        else {
            trailer = length
            return .skips(length - 4)
        }
        guard bytes.count >= length else { return .needs(length) }
        try Self.check(bytes.length(at: length - 4, order), is: length, at: offset + length - 4)
        let body = bytes.extracting(Self.blockHeaderLength..<length - 4)
        switch block {
        case .section:
            try Self.checkVersion(body, order, at: offset)
            interfaces.removeAll()
        case .interface:
            try receiveInterface(body, order, at: offset)
        case .packet:
            try receivePacket(body, order, at: offset, into: &sink)
        }
        return .read(length)
    }

    mutating func finish(
        _ rest: Span<UInt8>, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        if trailer != nil { throw .cut(rest, at: offset, needs: 4) }
        if !rest.isEmpty || offset == 0 {
            let isLengthThere = rest.count >= Self.shortestBlock
            let length = isLengthThere ? order.map { rest.length(at: 4, $0) } : nil
            throw .cut(rest, at: offset, needs: length ?? Self.shortestBlock)
        }
        if let otherContent, !isBluetooth { throw otherContent }
    }

    private mutating func receiveInterface(
        _ body: Span<UInt8>, _ order: ByteOrder, at offset: Int
    ) throws(TrafficError) {
        guard interfaces.count < Self.mostInterfaces else {
            throw TrafficError(.tooMuch, at: offset, found: interfaces.count)
        }
        let bodyOffset = offset + Self.blockHeaderLength
        let interface = try PcapNGInterface(body, order, at: bodyOffset)
        interfaces.append(interface)
        if interface.type != nil {
            isBluetooth = true
        } else if otherContent == nil {
            let number = UInt32(body.uint16(at: 0, order))
            otherContent = .unknownLinkType(number, at: bodyOffset)
        }
    }

    private mutating func receivePacket(
        _ body: Span<UInt8>, _ order: ByteOrder, at offset: Int, into sink: inout some RecordSink
    ) throws(TrafficError) {
        let start = 20
        guard body.count >= start else {
            throw TrafficError(.wrongLength, at: offset + 4, found: body.count + 12)
        }
        let length = body.length(at: 12, order)
        let bodyOffset = offset + Self.blockHeaderLength
        let field = bodyOffset + 12
        guard try RecordCounter.packetLength(length, at: field) <= body.count - start else {
            throw TrafficError(.wrongLength, at: field, found: length)
        }
        var hasLosses = false
        var direction: HCIDirection?
        let end = start + (length + 3) & ~3
        try PcapNGOptions.read(body, order, from: end, at: bodyOffset) { code, value in
            switch (code, value.count) {
            case (2, 4...):
                switch value.uint32(at: 0, order) & 3 {
                case 1: direction = .toHost
                case 2: direction = .toController
                default: break
                }
            case (4, 8...):
                if value.uint64(at: 0, order) > 0 { hasLosses = true }
            default:
                break
            }
        }
        let number = body.length(at: 0, order)
        guard number < interfaces.count else {
            throw TrafficError(.malformed, at: bodyOffset, found: number)
        }
        let interface = interfaces[number]
        let time = UInt64(body.uint32(at: 4, order)) << 32 | UInt64(body.uint32(at: 8, order))
        let position = counter.next(at: offset, interface.microseconds(time), into: &sink)
        if hasLosses { sink.note(.lostByRecorder, at: position) }
        guard let type = interface.type else { return sink.note(.unknownPacket, at: position) }
        if length < body.length(at: 16, order) { sink.note(.cutByRecorder, at: position) }
        LinkPackets.receive(
            type, body.extracting(start..<start + length), direction,
            adapter: UInt16(clamping: number), at: position, into: &sink)
    }

    private static func checkVersion(
        _ body: Span<UInt8>, _ order: ByteOrder, at offset: Int
    ) throws(TrafficError) {
        guard body.count >= 16 else {
            throw TrafficError(.wrongLength, at: offset + 4, found: body.count + 12)
        }
        let major = Int(body.uint16(at: 4, order))
        guard major == 1 else {
            throw TrafficError(
                .unknownVersion, at: offset + blockHeaderLength + 4, found: major, hint: "it is 1.0"
            )
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

private enum PcapNGBlock: UInt32 {
    case section = 0x0A0D_0D0A
    case interface = 1
    case packet = 6
}

private enum PcapNGOptions {
    /// Calls `receive` with the code and the value of each option from `start` of a block's body
    /// on; `offset` is the file offset of the body.
    ///
    /// An option has a code and a length of 16 bits each, then the value, padded to four bytes. The
    /// options end at code 0, or with the block.
    @inline(__always)
    static func read(
        _ body: Span<UInt8>, _ order: ByteOrder, from start: Int, at offset: Int,
        _ receive: (UInt16, Span<UInt8>) throws(TrafficError) -> Void
    ) throws(TrafficError) {
        var position = start
        while position <= body.count - 4 {
            let code = body.uint16(at: position, order)
            let length = Int(body.uint16(at: position + 2, order))
            if code == 0 { return }
            let start = position + 4
            guard length <= body.count - start else {
                throw TrafficError(.wrongLength, at: offset + position + 2, found: length)
            }
            try receive(code, body.extracting(start..<start + length))
            position = start + (length + 3) & ~3
        }
    }
}

struct PcapNGInterface: Hashable, Sendable {
    let type: LinkType?
    /// The number of decimal places of a second in its times.
    private var places = 6
    private var offsetSeconds: Int64 = 0

    /// Reads the body of an interface description; `offset` is the file offset of the body.
    init(
        _ body: Span<UInt8>, _ order: ByteOrder, at offset: Int
    ) throws(TrafficError) {
        guard body.count >= 8 else {
            throw TrafficError(.wrongLength, at: offset, found: body.count)
        }
        type = LinkType(field: UInt32(body.uint16(at: 0, order)))
        try PcapNGOptions.read(body, order, from: 8, at: offset) {
            (code, value) throws(TrafficError) in
            switch (code, value.count) {
            case (9, 1...):
                guard value[0] & 0x80 == 0 else {
                    throw TrafficError(
                        .unknownContent, at: offset, found: Int(value[0]),
                        hint: "its times are binary fractions of a second; "
                            + "`editcap -F pcapng` writes decimal ones")
                }
                places = Int(value[0])
            case (14, 8...):
                offsetSeconds = Int64(bitPattern: value.uint64(at: 0, order))
            default:
                break
            }
        }
    }

    /// The time of a packet in microseconds since 1970, clamped to the range of the type.
    func microseconds(_ time: UInt64) -> Int64 {
        var value = time
        var places = places
        while places > 6, value > 0 {
            value /= 10
            places -= 1
        }
        while places < 6 {
            let (product, isTooMuch) = value.multipliedReportingOverflow(by: 10)
            value = isTooMuch ? .max : product
            places += 1
        }
        let (seconds, isTooMuch) = offsetSeconds.multipliedReportingOverflow(by: 1_000_000)
        if isTooMuch { return offsetSeconds < 0 ? .min : .max }
        let (sum, isTooLarge) = Int64(clamping: value).addingReportingOverflow(seconds)
        return isTooLarge ? .max : sum
    }
}
