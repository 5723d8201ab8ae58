/// Joins the frames of a ``SlotLog``.
///
/// An assembly serves one request, which may be sent again. Each frame has an index, so received
/// frames are kept, and a repeated frame does no harm. If frames are missing, the last frame of the
/// log throws an error with the first missing index. A frame of another day starts a new log, and
/// so does a header after the reply is complete. Only the second frame contains the day. Until it
/// has come, frames are kept only until the next header; before a header, no frame is kept. A
/// repeated frame with other samples shows that the log has changed: only the frames since the last
/// header are kept, so that no reply is a mixture. After a repeated request this happens even
/// without a header, which may be lost.
@frozen
public struct SlotLogAssembly<Owner: SlotLogCommand>: ReplyAssembly {
    @usableFromInline var header: SlotLogPart<Owner>.Header?
    @usableFromInline var headerRest = InlineBytes()
    @usableFromInline var day: Owner.Day?
    @usableFromInline var values: [UInt8] = []
    @usableFromInline var received = PartSet()
    /// The parts since the last header or request; `nil` while these are all that were received.
    @usableFromInline var fresh: PartSet?
    @usableFromInline var isComplete = false

    @inlinable
    public init() {}

    /// The log with zeros where frames are missing; `nil` before its day is known.
    @inlinable
    public var partial: SlotLog<Owner>? {
        guard let header, let day else { return nil }
        return SlotLog(day: day, header: header, rest: headerRest, unchecked: values)
    }

    /// Receives one frame; returns the log when no frame is missing, else `nil`.
    @inlinable @inline(__always)
    public mutating func receive(
        _ part: SlotLogPart<Owner>
    ) throws(PacketError) -> Answer<SlotLog<Owner>>? {
        let index: UInt8
        let day: Owner.Day?
        let samples: InlineBytes
        switch part.content {
        case .noData:
            return .noData
        case .header(let header):
            try receiveHeader(header, rest: part.unclaimed)
            return nil
        case .first(let first, let bytes):
            (index, day, samples) = (1, first, bytes)
        case .later(let number, let bytes):
            (index, day, samples) = (number, nil, bytes)
        }
        guard let header, index < header.partCount else { try throwOutOfOrder(index) }
        if let day {
            if let earlier = self.day, earlier != day { restart(header) }
            self.day = day
        }
        if isComplete { return nil }
        let start = SlotLogShape<Owner>.start(ofPart: index)
        if !received.insert(index) { compare(samples, at: start, part: index) }
        samples.copy(into: &values, at: start)
        fresh?.insert(index)
        let last = header.partCount &- 1
        // Of two replies the second must be complete: changes are visible only then.
        guard fresh?.contains(last) ?? received.contains(last) else { return nil }
        if received.firstMissing > Int(last), let partial {
            isComplete = true
            return .value(partial)
        }
        guard index == last else { return nil }
        try throwMissing()
    }

    @inlinable @inline(never)
    mutating func receiveHeader(
        _ header: SlotLogPart<Owner>.Header, rest: InlineBytes
    ) throws(PacketError) {
        guard header.partCount >= SlotLogShape<Owner>.leastParts else {
            try Self.throwNoRoom(header)
        }
        headerRest = rest
        if self.header != header || day == nil || isComplete { return restart(header) }
        fresh = PartSet(withZero: true)
        received.insert(0)
    }

    /// Prepares for a repeated request.
    ///
    /// Received frames are kept; they are valid once the next reply is complete with the same
    /// samples.
    public mutating func beginAgain() { fresh = PartSet() }

    @inlinable @inline(never)
    mutating func restart(_ header: SlotLogPart<Owner>.Header) {
        self.header = header
        day = nil
        isComplete = false
        received = PartSet(withZero: true)
        fresh = nil
        values = [UInt8](
            repeating: 0, count: SlotLogShape<Owner>.values(in: header.partCount))
    }

    /// Compares a repeated frame: if its samples differ, the frames of earlier replies are stale.
    @usableFromInline @inline(never)
    mutating func compare(_ samples: InlineBytes, at start: Int, part index: UInt8) {
        let held = values.dropFirst(max(start, 0)).prefix(samples.count)
        guard !held.elementsEqual(samples) else { return }
        // Without its header, which was lost, the frames of this reply cannot be identified.
        let kept = fresh.flatMap { $0.contains(index) ? nil : $0 } ?? PartSet(withZero: true)
        fresh = kept
        received = kept
        received.insert(index)
        for part in 1..<(header?.partCount ?? 1) where !received.contains(part) {
            let first = max(SlotLogShape<Owner>.start(ofPart: part), 0)
            let end = min(SlotLogShape<Owner>.start(ofPart: part &+ 1), values.count)
            for place in first..<max(first, end) { values[place] = 0 }
        }
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
