/// Joins the frames of a ``SlotLog``.
///
/// Each frame says its place, so a log can be completed by asking again: frames that came are
/// kept, the same frame twice does no harm, and what is still missing is named in the error that
/// the last frame of the log throws.
public struct SlotLogAssembly<Owner: SlotLogCommand>: ReplyAssembly {
    private var header: SlotLogPart<Owner>.Header?
    private var day: Owner.Day?
    private var values: [UInt8] = []
    private var received = PartSet()

    /// Starts with nothing received.
    public init() {}

    /// The places of the frames that did not come yet; empty before the first one.
    public var missing: [UInt8] {
        guard let header else { return [] }
        return (0..<header.partCount).filter { !received.contains($0) }
    }

    /// What came so far, with zeros where frames are missing.
    public var partial: SlotLog<Owner>? {
        guard let header, let day else { return nil }
        return SlotLog(
            day: day, minutesPerSample: header.minutesPerSample, unchecked: values)
    }

    /// Takes one frame in; answers when it was the last that was missing.
    public mutating func receive(
        _ frame: Frame
    ) throws(PacketError) -> Answer<SlotLog<Owner>>? {
        if frame.refusedOpcode == Owner.opcode { return .refused }
        let part = try SlotLogPart<Owner>(decoding: frame)
        switch part.content {
        case .noData:
            return .noData
        case .header(let header):
            try begin(header)
            return nil
        case .first(let first):
            if let day, day != first.day { restart() }
            try store(first.samples, part: 1)
            day = first.day
            return try finish(1)
        case .later(let later):
            try store(later.samples, part: later.index)
            return try finish(later.index)
        }
    }

    private mutating func begin(_ header: SlotLogPart<Owner>.Header) throws(PacketError) {
        let least = SlotLogShape<Owner>.leastParts
        guard header.partCount >= least else {
            throw PacketError(
                .impossibleCount, packet: SlotLogPart<Owner>.name, field: "partCount", at: 2,
                expected: Int64(least)...255, found: Int64(header.partCount))
        }
        if self.header != header {
            self.header = header
            restart()
        }
        received.insert(0)
    }

    private mutating func restart() {
        day = nil
        received = PartSet()
        received.insert(0)
        values = [UInt8](
            repeating: 0, count: SlotLogShape<Owner>.values(in: header?.partCount ?? 0))
    }

    private mutating func store(
        _ samples: InlineBytes, part index: UInt8
    ) throws(PacketError) {
        let most = Int64(header?.partCount ?? 1) - 1
        guard Int64(index) <= most else {
            throw PacketError(
                .outOfOrder, packet: SlotLogPart<Owner>.name, field: "index", at: 1,
                expected: min(1, most)...most, found: Int64(index))
        }
        samples.copy(into: &values, at: SlotLogShape<Owner>.start(ofPart: index))
        received.insert(index)
    }

    private func finish(_ index: UInt8) throws(PacketError) -> Answer<SlotLog<Owner>>? {
        guard let header else { return nil }
        let firstMissing = received.firstMissing
        if firstMissing == Int(header.partCount), let partial { return .value(partial) }
        guard index == header.partCount - 1 else { return nil }
        throw PacketError(
            .missing, packet: SlotLogPart<Owner>.name, field: "index", at: 1,
            expected: Int64(firstMissing)...Int64(firstMissing))
    }
}

/// A set of part numbers, held in four words.
struct PartSet: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    static func == (left: PartSet, right: PartSet) -> Bool { left.words == right.words }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }

    func contains(_ part: UInt8) -> Bool {
        let bit = UInt64(1) << UInt64(part & 63)
        switch part >> 6 {
        case 0: return words.0 & bit != 0
        case 1: return words.1 & bit != 0
        case 2: return words.2 & bit != 0
        default: return words.3 & bit != 0
        }
    }

    mutating func insert(_ part: UInt8) {
        let bit = UInt64(1) << UInt64(part & 63)
        switch part >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    /// The lowest number that is not in the set.
    var firstMissing: Int {
        if ~words.0 != 0 { return (~words.0).trailingZeroBitCount }
        if ~words.1 != 0 { return 64 + (~words.1).trailingZeroBitCount }
        if ~words.2 != 0 { return 128 + (~words.2).trailingZeroBitCount }
        return 192 + (~words.3).trailingZeroBitCount
    }
}
