/// Joins the frames of a ``SlotLog``.
///
/// It serves one request, which may be sent again: each frame says its place, so what came is
/// kept, the same frame twice does no harm, and what is still missing is named in the error that
/// the last frame of the log throws. A frame that says another day starts a new log, and so does
/// a header after the answer. Only the second frame says which day it is of: what came without
/// it counts only until the next header, and what came without a header not at all. A frame that
/// comes again with other samples says that the log has changed meanwhile: then only what came
/// since the last header is kept, so that no answer is a mixture. Where the request was sent again,
/// it is the same without a header, which may be lost.
public struct SlotLogAssembly<Owner: SlotLogCommand>: ReplyAssembly {
    @usableFromInline var header: SlotLogPart<Owner>.Header?
    @usableFromInline var headerRest: InlineBytes
    @usableFromInline var day: Owner.Day?
    @usableFromInline var values: [UInt8]
    @usableFromInline var received: PartSet
    /// Whether more than one answer has begun.
    @usableFromInline var isAgain: Bool
    /// The parts that came since the last header; kept only while more than one answer has begun.
    @usableFromInline var fresh: PartSet
    @usableFromInline var isComplete: Bool

    /// Starts with nothing received.
    @inlinable
    public init() {
        headerRest = InlineBytes()
        values = []
        received = PartSet()
        isAgain = false
        fresh = PartSet()
        isComplete = false
    }

    /// The places of the frames that did not come yet; empty before the first one.
    public var missing: [UInt8] {
        guard let header else { return [] }
        return (0..<header.partCount).filter { !received.contains($0) }
    }

    /// What came so far, with zeros where frames are missing.
    @inlinable
    public var partial: SlotLog<Owner>? {
        guard let header, let day else { return nil }
        return SlotLog(day: day, header: header, rest: headerRest, unchecked: values)
    }

    /// Whether a frame is a header, or says that nothing is stored.
    public static func begins(_ frame: Frame) -> Bool {
        switch try? SlotLogPart<Owner>(decoding: frame).content {
        case .header, .noData: true
        case .first, .later, nil: false
        }
    }

    /// Takes one frame in; answers when it was the last that was missing.
    @inlinable @inline(__always)
    public mutating func receive(
        _ frame: Frame
    ) throws(PacketError) -> Answer<SlotLog<Owner>>? {
        if frame.refusedOpcode == Owner.opcode { return .refused }
        let part = try SlotLogPart<Owner>(decoding: frame)
        let samples: InlineBytes
        let index: UInt8
        let day: Owner.Day?
        switch part.content {
        case .noData:
            return .noData
        case .header(let header):
            try begin(header, rest: part.unclaimed)
            return nil
        case .first(let first):
            samples = first.samples
            index = 1
            day = first.day
        case .later(let later):
            samples = later.samples
            index = later.index
            day = nil
        }
        return try take(samples, part: index, of: day)
    }

    @inlinable @inline(never)
    mutating func begin(
        _ header: SlotLogPart<Owner>.Header, rest: InlineBytes
    ) throws(PacketError) {
        guard header.partCount >= SlotLogShape<Owner>.leastParts else {
            try Self.throwNoRoom(header)
        }
        headerRest = rest
        if self.header != header || day == nil || isComplete { return restart(header) }
        isAgain = true
        fresh = PartSet()
        fresh.insert(0)
        received.insert(0)
    }

    /// The request is sent again: what came is kept, and counts once the next answer has come to
    /// its end and says the same.
    public mutating func beginAgain() {
        guard header != nil, !isComplete else { return }
        isAgain = true
        fresh = PartSet()
    }

    @inlinable @inline(never)
    mutating func restart(_ header: SlotLogPart<Owner>.Header) {
        self.header = header
        day = nil
        isComplete = false
        received = PartSet()
        received.insert(0)
        isAgain = false
        values = [UInt8](
            repeating: 0, count: SlotLogShape<Owner>.values(in: header.partCount))
    }

    @inlinable @inline(__always)
    mutating func take(
        _ samples: InlineBytes, part index: UInt8, of day: Owner.Day?
    ) throws(PacketError) -> Answer<SlotLog<Owner>>? {
        guard let header, index < header.partCount else { try throwOutOfOrder(index) }
        if let day {
            if let earlier = self.day, earlier != day { restart(header) }
            self.day = day
        }
        if isComplete { return nil }
        let start = SlotLogShape<Owner>.start(ofPart: index)
        if !received.insert(index) { compare(samples, at: start, part: index) }
        samples.copy(into: &values, at: start)
        if isAgain { fresh.insert(index) }
        return try finish(index, of: header.partCount)
    }

    /// A frame has come again: if it says otherwise, the frames of earlier answers are stale.
    @usableFromInline @inline(never)
    mutating func compare(_ samples: InlineBytes, at start: Int, part index: UInt8) {
        let held = values.dropFirst(max(start, 0)).prefix(samples.count)
        guard !held.elementsEqual(samples) else { return }
        if !isAgain || fresh.contains(index) {
            // The header of this answer was lost: nothing says which frames are of it.
            isAgain = true
            fresh = PartSet()
            fresh.insert(0)
        }
        received = fresh
        received.insert(index)
        for part in 1..<(header?.partCount ?? 1) where !received.contains(part) {
            let first = max(SlotLogShape<Owner>.start(ofPart: part), 0)
            let end = min(SlotLogShape<Owner>.start(ofPart: part &+ 1), values.count)
            for place in first..<max(first, end) { values[place] = 0 }
        }
    }

    @inlinable @inline(__always)
    mutating func finish(
        _ index: UInt8, of partCount: UInt8
    ) throws(PacketError) -> Answer<SlotLog<Owner>>? {
        // Of two answers the second must have come to its end: what changed is seen only then.
        if received.count == Int(partCount), isEnded(at: partCount - 1), let partial {
            isComplete = true
            return .value(partial)
        }
        guard index == partCount - 1 else { return nil }
        try throwMissing()
    }

    @inlinable @inline(__always)
    func isEnded(at last: UInt8) -> Bool {
        !isAgain || fresh.count == received.count || fresh.contains(last)
    }

    @usableFromInline @inline(never)
    func throwOutOfOrder(_ index: UInt8) throws(PacketError) -> Never {
        let most = Int64(header?.partCount ?? 1) - 1
        throw PacketError(
            .outOfOrder, packet: SlotLogPart<Owner>.name, field: "index", at: 1,
            expected: min(1, most)...most, found: Int64(index))
    }

    @usableFromInline @inline(never)
    static func throwNoRoom(
        _ header: SlotLogPart<Owner>.Header
    ) throws(PacketError) -> Never {
        throw PacketError(
            .impossibleCount, packet: SlotLogPart<Owner>.name, field: "partCount", at: 2,
            expected: Int64(SlotLogShape<Owner>.leastParts)...255,
            found: Int64(header.partCount))
    }

    @usableFromInline @inline(never)
    func throwMissing() throws(PacketError) -> Never {
        let index = Int64(received.firstMissing)
        throw PacketError(
            .missing, packet: SlotLogPart<Owner>.name, field: "index", at: 1,
            expected: index...index)
    }
}
