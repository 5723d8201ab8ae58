/// A packet of a pcapng file, of any of the three kinds of blocks that hold one.
struct PcapNGPacket {
    /// The interface it came from, counted in its section.
    let interface: Int
    /// When, in the interface's units; nothing if the block does not say.
    let time: UInt64?
    /// Where in the block's body its bytes stand.
    let range: Range<Int>
    /// Whether only its beginning was kept.
    let isCut: Bool
    /// Whether packets before it were lost.
    private(set) var hasLosses = false
    /// Which way it went, if the block says so.
    private(set) var direction: HCIDirection?

    /// The packet of a block, of whose section the first interface keeps so many bytes.
    init(
        _ body: Span<UInt8>, _ block: PcapNGBlock, _ snapshotLength: Int?
    ) throws(TrafficError) {
        let order = block.order
        let isSimple = block.type == PcapNGBlock.simplePacket
        let start = isSimple ? 4 : 20
        guard body.count >= start else {
            throw TrafficError(.wrongLength, at: block.offset + 4, found: body.count + 12)
        }
        let original = body.length(at: isSimple ? 0 : 16, order)
        var length = original
        if isSimple {
            interface = 0
            time = nil
            if let snapshotLength, snapshotLength > 0 { length = min(length, snapshotLength) }
        } else {
            let isOld = block.type == PcapNGBlock.oldPacket
            interface = isOld ? Int(body.uint16(at: 0, order)) : body.length(at: 0, order)
            if isOld {
                let lost = body.uint16(at: 2, order)
                hasLosses = lost != 0 && lost != .max
            }
            time = UInt64(body.uint32(at: 4, order)) << 32 | UInt64(body.uint32(at: 8, order))
            length = body.length(at: 12, order)
        }
        let place = block.bodyOffset + (isSimple ? 0 : 12)
        _ = try RecordCounter.packetLength(length, at: place)
        guard length <= body.count - start else {
            throw TrafficError(.wrongLength, at: place, found: length)
        }
        range = start..<start + length
        isCut = length < original
        if !isSimple { try readOptions(body, block, from: start + (length + 3) & ~3) }
    }

    private mutating func readOptions(
        _ body: Span<UInt8>, _ block: PcapNGBlock, from start: Int
    ) throws(TrafficError) {
        var options = PcapNGOptions(body, block.order, from: start)
        while let option = try options.next(body, at: block.bodyOffset) {
            let value = body.extracting(option.range)
            switch (option.code, value.count) {
            case (2, 4...):
                switch value.uint32(at: 0, block.order) & 3 {
                case 1: direction = .toHost
                case 2: direction = .toController
                default: break
                }
            case (4, 8...):
                if value.uint64(at: 0, block.order) > 0 { hasLosses = true }
            default:
                break
            }
        }
    }
}
